import type { Exchange, RestCall } from '#client/types'
import { listedIds, listForm } from '#judge/sessions/listed-sessions'
import type { Context, OpenSession } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { billingCodes } from '#spec/code-groups'
import { accepted, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { burst, hurried, isLimited, key, minute } from './burst.ts'
import { closeFurther, forget, hurry, lookAfter, prepare } from './further-calls.ts'
import { suspects, tellApart } from './keys-apart.ts'
import { pauseAsked, pauseByOurClock } from './rate-log.ts'
import { liesThatTell } from './pause.rules.ts'
import { lookback } from './rate.rules.ts'

const retried = 'errors.retry.after-10008-same-key'
/** A higher limit than this is not worth so many requests. */
const most = 240
/** Retry-After beyond this is not waited for. */
const patience_ms = 75_000
const slack_ms = 1_050
/** After so long without a request every reading of a minute is over. */
const quiet_ms = 65_000
const tries = 4
/** Pauses where nothing tells how long: a bucket has a token soon, a window opens within a minute. */
const untold = [1_000, 4_000, 15_000, 45_000]
/** Reads in a row that tell that a key is exhausted. */
const row = 5
/** How often an early refusal is looked into. */
const rounds = 3
/** Honours `Retry-After`; the pace would be too careful here. */
const polite: RestCall = { key, pace: false }

interface Exhausted {
  /** The last answers with 10008, which came together. */
  readonly last: readonly Exchange[]
  /** A create that was refused. */
  readonly refused: JsonObject | undefined
}

/** What is refused while the key is exhausted: creates and reads, but nothing of another key. */
async function exhausted(
  c: Context,
  limited: readonly Exchange[],
  character_id: string | undefined,
): Promise<Exhausted> {
  let last = limited
  let refused: JsonObject | undefined
  for (let round = 0; round < tries; round += 1) {
    const began = performance.now()
    if (!(await isExhausted(c, round === 0 ? limited.length : 0))) continue
    const latency_ms = performance.now() - began
    const bodies = Array.from({ length: 3 }, () => textChat(c.id('hurried')))
    const eager = lists(c, hurried, 1 + Math.floor(latency_ms / 500))
    const creates = Promise.all(bodies.map((body) => c.attempt(body, hurried)))
    const get = c.call('get-avatar-session', { ...hurried, params: { session_id: c.id('nobody') } })
    const beside = lists(c, { pace: false, retry: 'never' }, 3 + Math.min(9, Math.floor(latency_ms / 250)))
    const further = hurry(c, character_id)
    const [elsewhere, answers, others, ...reads] = await Promise.all([beside, creates, further, get, eager])
    const through = answers.filter(({ ok }) => ok)
    const allRefused = through.length === 0 && others.every(({ answer: one }) => isLimited(one))
    const closing = allRefused ? [] : await lists(c, hurried, 1)
    // The longest pause of all that were refused side by side is the one to make.
    const heard = [...answers, ...reads.flat(), ...others.map(({ answer: one }) => one)]
    const together = closing.some(isLimited) ? closing : heard.filter(isLimited)
    last = together.length > 0 ? together : last
    refused = bodies.find((_, place) => answers[place] !== undefined && isLimited(answers[place])) ?? refused
    await closeAll(c, through)
    await closeFurther(c, others)
    // What is admitted after the refusals would make the pause that they ask for tell nothing.
    const again = allRefused ? [] : (await lists(c, hurried, row)).filter(isLimited)
    if (again.length > 0) last = again
    if (refused !== undefined && !elsewhere.some(isLimited) && (allRefused || round > 0)) break
  }
  return { last, refused }
}

/**
 * Whether a row of reads is refused, so that none of several nodes has anything left; asks for what they have left.
 *
 * @param before reads that were refused just before
 */
async function isExhausted(c: Context, before: number): Promise<boolean> {
  const limit = c.profile.limits?.[key]?.requests_per_minute ?? 60
  const rest = row - Math.min(before, 2)
  if (rest < row && (await lists(c, hurried, rest)).every(isLimited)) return true
  for (let sent = 0; sent < limit; sent += row) {
    const refused = (await lists(c, hurried, row)).filter(isLimited)
    if (refused.length >= row - 1) return true
  }
  return false
}

function lists(c: Context, call: RestCall, count: number): Promise<readonly Exchange[]> {
  return Promise.all(Array.from({ length: count }, () => c.call('list-avatar-sessions', call)))
}

/** Sessions of creates that got through. */
async function closeAll(c: Context, answers: readonly Exchange[]): Promise<void> {
  for (const one of answers) await c.close(c.adopt(one, key), polite)
}

/** Requests on the key that were carried out, of those that still count. */
function admittedLately(c: Context): number {
  const { sent, limited } = c.usage(key, lookback)
  return sent - limited
}

/** How it ended to do what `Retry-After` says: admitted, refused each time, or with a pause (ms) that is too long to make. */
type RetryEnd = 'admitted' | 'refused' | number

/** Waits for what `Retry-After` says and a second, and lists sessions; again where that was not enough. */
async function doAsTold(c: Context, refusals: readonly Exchange[], times = tries): Promise<RetryEnd> {
  let last = refusals
  for (let round = 0; round < times && last.length > 0; round += 1) {
    const untold_ms = untold[round] ?? 0
    const pause = Math.max(...last.map(({ headers }) => pauseOf(headers, untold_ms))) + slack_ms
    if (pause > patience_ms) return pause
    await c.wait(pause, 'retry-after')
    const told = await lists(c, hurried, 1)
    // A connection that was kept for so long may be gone: what got no answer is asked once more.
    last = (told.some(({ code }) => code === undefined) ? await lists(c, hurried, 1) : told).filter(isLimited)
  }
  return last.length === 0 ? 'admitted' : 'refused'
}

/**
 * A date counts from the `Date` beside it or from our own clock, by which it takes longer: an edge in front may have another
 * clock than the service. Without a `Date` it counts from ours, unless the two can't be the same.
 */
function pauseOf(headers: Exchange['headers'], untold_ms: number): number {
  const told = pauseAsked(headers)
  const byOurs = pauseByOurClock(headers, Date.now()) ?? 0
  if (told !== undefined) return byOurs > patience_ms ? told : Math.max(told, byOurs)
  const guess = pauseAsked(headers, Date.now()) ?? 0
  return guess > patience_ms ? untold_ms : Math.max(guess, untold_ms)
}

/** @returns whether it was enough to wait as told, or the key was admitted soon where it was told nothing */
async function waitAsTold(c: Context, refusals: readonly Exchange[]): Promise<boolean> {
  const outcome = await doAsTold(c, refusals)
  if (typeof outcome === 'number') c.block('quota', `Retry-After asks for ${Math.round(outcome / 1000)} s`)
  return outcome === 'admitted'
}

/**
 * Somebody else may have been quicker each time. Nothing goes out for a minute; then the same happens again, or it doesn't.
 *
 * @returns whether the key was admitted again
 */
async function onceMoreAsTold(c: Context, limit: number): Promise<boolean> {
  await c.wait(quiet_ms + slack_ms + jitter(c, 1), 'quiet')
  const refused = (await lists(c, hurried, 1)).filter(isLimited)
  if (refused.some(({ headers }) => pauseAsked(headers) === undefined)) return false
  if ((await doAsTold(c, refused, liesThatTell)) !== 'admitted') return false
  if ((await burst(c, limit, 2 * limit + 6)).length === 0) return true
  // As before, it is not the first refusal that is waited out.
  const refusals = (await lists(c, hurried, 2)).filter(isLimited)
  await doAsTold(c, refusals)
  return true
}

/** Sessions that are not ours may be what a refused create has made. */
async function lookAtOthers(c: Context, data: Json | undefined, { id }: OpenSession): Promise<void> {
  const ours = new Set([id])
  const others = [...listedIds(data, listForm(data, ours))].filter((other) => other !== id)
  for (const session_id of others.slice(0, 3)) {
    await c.call('get-avatar-session', { ...polite, params: { session_id } })
  }
}

/** Codes of other limits than the rate: of places, of capacity, and of what the workspace has paid for. */
const otherLimits = [30006, 30008, ...billingCodes]

/** Another create gets through and this one does not: then it is its key that is refused for good, unless no place is free. */
const blameKey = step([retried], async (c, body: JsonObject): Promise<void> => {
  const fresh = await c.attempt(textChat(c.id('hurried')), polite)
  if (!fresh.ok) return
  await c.close(c.adopt(fresh, key), polite)
  const exchange = c.exchange()
  const code = answer(exchange, '/code')
  c.claim(retried, equals(code, value(0)), { given: [different(code, oneOf(...otherLimits))] })
  await c.attempt(body, { ...polite, exchange })
})

/** The create that was refused comes again with its key, and List Sessions shows what there is. */
const retry = step([retried, blameKey], async (c, body: JsonObject): Promise<void> => {
  const [one, other] = [c.exchange(), c.exchange()]
  c.claim(retried, any(accepted(one), accepted(other)))
  const first = await c.attempt(body, { ...polite, exchange: one })
  const answered = first.ok ? first : await c.attempt(body, { ...polite, exchange: other })
  // Once more, for the session that came of it: a second one would be a duplicate.
  if (answered.ok) await c.attempt(body, polite)
  const { data } = await c.call('list-avatar-sessions', polite)
  if (answered.ok) {
    const session = c.adopt(answered, key)
    await lookAtOthers(c, data, session)
    await c.close(session, polite)
  } else if (isLimited(answered)) await blameKey(c, body)
})

/** A minute after a run before, its requests count no more; if a round is still cut short then, it is looked into. */
async function recovered(c: Context, limit: number): Promise<void> {
  await c.wait(quiet_ms + slack_ms, 'quiet')
  if ((await burst(c, limit, limit)).length > 0) await onceMore(c, limit, undefined)
}

/**
 * A refusal that came early may be due to what others sent on the key: nothing goes out for a while, then all that may;
 * again while another number gets through than before. Two runs at once differ in the time that they let pass, so that they
 * come apart.
 */
async function onceMore(c: Context, limit: number, before: number | undefined): Promise<void> {
  let last = before
  for (let round = 1; round <= rounds; round += 1) {
    await c.wait(lookback + slack_ms + jitter(c, round), 'quiet')
    if ((await burst(c, limit, limit)).length === 0) return
    const admitted = admittedLately(c)
    if (last !== undefined && Math.abs(last - admitted) <= 1) return
    last = admitted
  }
}

/** Up to ten seconds longer each round, by the name of the run. */
function jitter(c: Context, round: number): number {
  const seed = Array.from(c.id('wait')).reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_000,
    7,
  )
  return seed * round
}

/** Exceeds the limit of a key, looks at what is refused then, waits as it is told, and goes on. */
export const rateLimit = scenario({
  id: 'limits.rate-limit',
  needs: { keys: [key] },
  runs: 'last',
  where_strayed: ['same_workspace'],
  steps: [tellApart, retry],
  observes: [
    'avatar-sessions.idempotency.after-429-one-session',
    'limits.api-key-rate.exceeding-refused',
    'limits.api-key-rate.below-limit-admitted',
    'limits.api-key-rate.retry-after',
    'limits.api-key-rate.recovers',
    'limits.api-key-rate.counts-reads',
    'limits.api-key-rate.counts-creates',
    'limits.api-key-rate.counts-characters',
    'limits.api-key-rate.counts-voices',
    'limits.api-key-rate.counts-worlds',
    'limits.api-key-rate.refused-create-makes-nothing',
    'errors.code-10008.rate-exceeded',
    'errors.code-10008.status-429',
    'errors.code-10008.retry-after-present',
    'errors.code-10008.retry-after-readable',
    'errors.code-10008.retry-after-truthful',
    'characters.get.own-character-found',
    'characters.replace.refused-changes-nothing',
  ],
  price: { requests: { [key]: 127, primary: 70, same_workspace: 70 }, typical: 44, sessions: { [key]: 1 }, waits: 65 },
  async drive(c) {
    const limit = c.profile.limits?.[key]?.requests_per_minute ?? 60
    if (limit > most) c.block('model_choice', `${limit} requests a minute are too many to exceed`)
    const paced = c.usage(key, lookback).limited
    const pairs = suspects(c, key)
    const apart = pairs === undefined ? undefined : await tellApart(c, pairs)
    if (apart === 'shared') c.block('prerequisite', 'requests of other keys count for this one')
    // What there was before the refused creates.
    await c.call('list-avatar-sessions', polite)
    const character_id = await prepare(c)
    // These two may be what a run before, or a look at the key, has left no room for.
    const opening = c.usage(key, lookback)
    const early = paced > 0 || (opening.limited > 0 && opening.sent - opening.limited < limit)
    const before = [c.usage(key, minute).clear, admittedLately(c)] as const
    const limited = await burst(c, limit, 2 * limit + 6)
    if (limited.length === 0 && character_id !== undefined) await forget(c, character_id)
    if (limited.length === 0) c.block('prerequisite', 'the limit was never met')
    const [{ sent }, admitted] = [c.usage(key, lookback), admittedLately(c)]
    // As many as the limit allows got through in a row: whatever counted before, it is not met too early.
    const whole = before[0] + admitted - before[1] >= limit
    const { last, refused } = await exhausted(c, limited, character_id)
    // A quiet minute was not enough, nor what it was told then: nothing more comes of this key.
    if (!(await waitAsTold(c, last)) && !(await onceMoreAsTold(c, limit))) return
    if (refused !== undefined) {
      // A bucket gives back one after another: all that follow would be refused once each.
      await c.wait((4 * minute) / limit + 100, 'backoff')
      await retry(c, refused)
    }
    if (character_id !== undefined) {
      await lookAfter(c, character_id)
      await forget(c, character_id)
    }
    // Requests at our pace should never have been refused, nor any before the limit: but a run before may still have counted.
    if (early && !whole) await recovered(c, limit)
    else if (!early && sent <= limit) await onceMore(c, limit, admitted)
    if (refused === undefined) c.block('model_choice', 'the key recovered faster than creates went out')
  },
})
