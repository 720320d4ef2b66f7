import type { Exchange, RestCall } from '#client/types'
import { listedIds, listForm } from '#judge/listed-sessions'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { burst, hurried, isLimited, key, minute } from './burst.ts'
import { closeFurther, forget, hurry, prepare } from './further-calls.ts'
import { suspects, tellApart } from './keys-apart.ts'
import { pauseAsked } from './rate-log.ts'
import { lies } from './pause.rules.ts'
import { lookback } from './rate.rules.ts'

const retried: RequirementId = 'errors.retry.after-10008-same-key'
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

/** Exceeds the limit of a key, looks at what is refused then, waits as it is told, and goes on. */
export const rateLimit: Scenario = {
  id: 'limits.rate-limit',
  needs: { keys: [key] },
  runs: 'last',
  where_strayed: ['same_workspace'],
  proves: [
    'limits.api-key-rate.exceeding-refused',
    'limits.api-key-rate.below-limit-admitted',
    'limits.api-key-rate.retry-after',
    'limits.api-key-rate.recovers',
    'limits.api-key-rate.per-key',
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
    retried,
  ],
  price: { requests: { [key]: 122, primary: 70, same_workspace: 70 }, typical: 42, sessions: { [key]: 1 }, waits: 65 },
  async drive(context: Context) {
    const limit = context.profile.limits?.[key]?.requests_per_minute ?? 60
    if (limit > most) context.block('model_choice', `${limit} requests a minute are too many to exceed`)
    const paced = context.usage(key, lookback).limited
    const pairs = suspects(context, key)
    const apart = pairs === undefined ? undefined : await tellApart(context, pairs)
    if (apart === 'shared') context.block('prerequisite', 'requests of other keys count for this one')
    // What there was before the refused creates.
    await context.call('list-avatar-sessions', polite)
    const character_id = await prepare(context)
    const before = [context.usage(key, minute).clear, admittedLately(context)] as const
    const limited = await burst(context, limit, 2 * limit + 6)
    if (limited.length === 0 && character_id !== undefined) await forget(context, character_id)
    if (limited.length === 0) context.block('prerequisite', 'the limit was never met')
    const [{ sent }, admitted] = [context.usage(key, lookback), admittedLately(context)]
    // As many as the limit allows got through in a row: whatever counted before, it is not met too early.
    const whole = before[0] + admitted - before[1] >= limit
    const { last, refused } = await exhausted(context, limited, character_id)
    // A quiet minute was not enough, nor what it was told then: nothing more comes of this key.
    if (!(await waitAsTold(context, last)) && !(await onceMoreAsTold(context, limit))) return
    if (refused !== undefined) {
      // A bucket gives back one after another: all that follow would be refused once each.
      await context.wait((4 * minute) / limit + 100, 'backoff')
      await retry(context, refused)
    }
    if (character_id !== undefined) await forget(context, character_id)
    // Requests at our pace should never have been refused, nor any before the limit: but a run before may still have counted.
    if (paced > 0 && !whole) await recovered(context, limit)
    else if (paced === 0 && sent <= limit) await onceMore(context, limit, admitted)
    if (refused === undefined) context.block('model_choice', 'the key recovered faster than creates went out')
  },
}

interface Exhausted {
  /** The last answers with 10008, which came together. */
  readonly last: readonly Exchange[]
  /** A create that was refused. */
  readonly refused: JsonObject | undefined
}

/** What is refused while the key is exhausted: creates and reads, but nothing of another key. */
async function exhausted(
  context: Context,
  limited: readonly Exchange[],
  character_id: string | undefined,
): Promise<Exhausted> {
  let last = limited
  let refused: JsonObject | undefined
  for (let round = 0; round < tries; round += 1) {
    const began = performance.now()
    if (!(await isExhausted(context, round === 0 ? limited.length : 0))) continue
    const latency_ms = performance.now() - began
    const bodies = Array.from({ length: 3 }, () => textChat(context.id('hurried')))
    const eager = lists(context, hurried, 1 + Math.floor(latency_ms / 500))
    const creates = Promise.all(bodies.map((body) => context.attempt(body, hurried)))
    const get = context.call('get-avatar-session', { ...hurried, params: { session_id: context.id('nobody') } })
    const beside = lists(context, { pace: false, retry: 'never' }, 3 + Math.min(9, Math.floor(latency_ms / 250)))
    const further = hurry(context, character_id)
    const [elsewhere, answers, others, ...reads] = await Promise.all([beside, creates, further, get, eager])
    const through = answers.filter(({ ok }) => ok)
    const allRefused = through.length === 0 && others.every(({ answer: one }) => isLimited(one))
    const closing = allRefused ? [] : await lists(context, hurried, 1)
    const together = closing.some(isLimited) ? closing : [...answers, ...reads.flat()].filter(isLimited)
    last = together.length > 0 ? together : last
    refused = bodies.find((_, place) => answers[place] !== undefined && isLimited(answers[place])) ?? refused
    await closeAll(context, through)
    await closeFurther(context, others)
    if (refused !== undefined && !elsewhere.some(isLimited) && (allRefused || round > 0)) break
  }
  return { last, refused }
}

/**
 * Whether a row of reads is refused, so that none of several nodes has anything left; asks for what they have left.
 *
 * @param before reads that were refused just before
 */
async function isExhausted(context: Context, before: number): Promise<boolean> {
  const limit = context.profile.limits?.[key]?.requests_per_minute ?? 60
  const rest = row - Math.min(before, 2)
  if (rest < row && (await lists(context, hurried, rest)).every(isLimited)) return true
  for (let sent = 0; sent < limit; sent += row) {
    const refused = (await lists(context, hurried, row)).filter(isLimited)
    if (refused.length >= row - 1) return true
  }
  return false
}

function lists(context: Context, call: RestCall, count: number): Promise<readonly Exchange[]> {
  return Promise.all(Array.from({ length: count }, () => context.call('list-avatar-sessions', call)))
}

/** Sessions of creates that got through. */
async function closeAll(context: Context, answers: readonly Exchange[]): Promise<void> {
  for (const one of answers) await context.close(context.adopt(one, key), polite)
}

/** Requests on the key that were carried out, of those that still count. */
function admittedLately(context: Context): number {
  const { sent, limited } = context.usage(key, lookback)
  return sent - limited
}

/** How it ended to do what `Retry-After` says: admitted, refused each time, or with a pause (ms) that is too long to make. */
type RetryEnd = 'admitted' | 'refused' | number

/** Waits for what `Retry-After` says and a second, and lists sessions; again where that was not enough. */
async function doAsTold(context: Context, refusals: readonly Exchange[], times = tries): Promise<RetryEnd> {
  let last = refusals
  for (let round = 0; round < times && last.length > 0; round += 1) {
    const untold_ms = untold[round] ?? 0
    const pause = Math.max(...last.map(({ headers }) => pauseAsked(headers) ?? untold_ms)) + slack_ms
    if (pause > patience_ms) return pause
    await context.wait(pause, 'retry-after')
    last = (await lists(context, hurried, 1)).filter(isLimited)
  }
  return last.length === 0 ? 'admitted' : 'refused'
}

/** @returns whether it was enough to wait as told, or the key was admitted soon where it was told nothing */
async function waitAsTold(context: Context, refusals: readonly Exchange[]): Promise<boolean> {
  const outcome = await doAsTold(context, refusals)
  if (typeof outcome === 'number') context.block('quota', `Retry-After asks for ${Math.round(outcome / 1000)} s`)
  return outcome === 'admitted'
}

/**
 * Somebody else may have been quicker each time. Nothing goes out for a minute; then the same happens again, or it doesn't.
 *
 * @returns whether the key was admitted again
 */
async function onceMoreAsTold(context: Context, limit: number): Promise<boolean> {
  await context.wait(quiet_ms + slack_ms + jitter(context, 1), 'quiet')
  const refused = (await lists(context, hurried, 1)).filter(isLimited)
  if (refused.some(({ headers }) => pauseAsked(headers) === undefined)) return false
  if ((await doAsTold(context, refused, lies)) !== 'admitted') return false
  if ((await burst(context, limit, 2 * limit + 6)).length === 0) return true
  // As before, it is not the first refusal that is waited out.
  const refusals = (await lists(context, hurried, 2)).filter(isLimited)
  await doAsTold(context, refusals)
  return true
}

/** The create that was refused comes again with its key, and List Sessions shows what there is. */
async function retry(context: Context, body: JsonObject): Promise<void> {
  const [one, other] = [context.exchange(), context.exchange()]
  context.claim(retried, any(accepted(one), accepted(other)))
  const first = await context.attempt(body, { ...polite, exchange: one })
  const answered = first.ok ? first : await context.attempt(body, { ...polite, exchange: other })
  // Once more, for the session that came of it: a second one would be a duplicate.
  if (answered.ok) await context.attempt(body, polite)
  const { data } = await context.call('list-avatar-sessions', polite)
  if (answered.ok) {
    const session = context.adopt(answered, key)
    await lookAtOthers(context, data, session)
    await context.close(session, polite)
  } else if (isLimited(answered)) await convict(context, body)
}

/** Sessions that are not ours may be what a refused create has made. */
async function lookAtOthers(context: Context, data: Json | undefined, { id }: OpenSession): Promise<void> {
  const ours = new Set([id])
  const others = [...listedIds(data, listForm(data, ours))].filter((other) => other !== id)
  for (const session_id of others.slice(0, 3)) {
    await context.call('get-avatar-session', { ...polite, params: { session_id } })
  }
}

/** Another create gets through and this one does not: then it is its key that is refused for good. */
async function convict(context: Context, body: JsonObject): Promise<void> {
  const fresh = await context.attempt(textChat(context.id('hurried')), polite)
  if (!fresh.ok) return
  const exchange = context.exchange()
  context.claim(retried, equals(answer(exchange, '/code'), value(0)))
  await context.attempt(body, { ...polite, exchange })
  await context.close(context.adopt(fresh, key), polite)
}

/** A minute after a run before, its requests count no more; if a round is still cut short then, it is looked into. */
async function recovered(context: Context, limit: number): Promise<void> {
  await context.wait(quiet_ms + slack_ms, 'quiet')
  if ((await burst(context, limit, limit)).length > 0) await onceMore(context, limit, undefined)
}

/**
 * A refusal that came early may be due to what others sent on the key: nothing goes out for a while, then all that may;
 * again while another number gets through than before. Two runs at once differ in the time that they let pass, so that they
 * come apart.
 */
async function onceMore(context: Context, limit: number, before: number | undefined): Promise<void> {
  let last = before
  for (let round = 1; round <= rounds; round += 1) {
    await context.wait(lookback + slack_ms + jitter(context, round), 'quiet')
    if ((await burst(context, limit, limit)).length === 0) return
    const admitted = admittedLately(context)
    if (last !== undefined && Math.abs(last - admitted) <= 1) return
    last = admitted
  }
}

/** Up to ten seconds longer each round, by the name of the run. */
function jitter(context: Context, round: number): number {
  const seed = Array.from(context.id('wait')).reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_000,
    7,
  )
  return seed * round
}
