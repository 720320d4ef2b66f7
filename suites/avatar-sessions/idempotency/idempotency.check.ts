import { pickKey } from '#scenario/author/pick-key'
import { waitForRateBudget } from '#scenario/author/rate-budget'
import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, admitted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from '#scenario/author/bodies'
import { idsIn } from '#scenario/author/session-ids'
import { tryCreate } from '../create/send.ts'
import { interact } from '../life/timers.ts'

/** Unknown sessions that are looked at. */
const most = 4

/** A body with a key. */
interface Keyed extends JsonObject {
  readonly idempotency_key: string
}

/** A create with a key of its own, whose avatar has an id that nobody else has: by it a duplicate is known again. */
function marked(c: Context, word: string): Keyed {
  return { ...textChat({ avatars: [{ avatar_id: c.id(word) }] }), idempotency_key: c.id(word) }
}

/** Looks at every session that List shows now and did not show before: a duplicate would be among them. */
async function searchDuplicates(
  c: Context,
  before: Exchange,
  ours: ReadonlySet<string>,
  key: KeyName = 'primary',
): Promise<void> {
  const after = await c.call('list-avatar-sessions', { key })
  const known = idsIn(before.data)
  const fresh = [...idsIn(after.data)].filter((id) => !known.has(id) && !ours.has(id))
  for (const id of fresh.slice(0, most)) await c.call('get-avatar-session', { params: { session_id: id }, key })
}

const valid = 'control-channel.secret.valid-while-open'

/** Whatever secret a repeated create shows: that of the first answer "is valid until the session ends" (5.3). */
const refusedOpening = step([valid], async (c, session: OpenSession) => {
  const number = c.channelNumber()
  c.claim(valid, admitted(number))
  const channel = await c.open(session, { channel: number })
  if (channel.state === 'open') await interact(c, channel)
  await channel.close()
})

/** What a service that trims its keys, or strips them of what is not ASCII, takes for nothing. */
const endings = [' ', 'é'] as const

/**
 * The same create with keys that are nearly its own. Which letters a key may have is not said: one that is refused tells
 * nothing.
 */
async function neighbours(c: Context, body: Keyed): Promise<readonly string[]> {
  const made: string[] = []
  for (const ending of endings) {
    const near = { ...body, idempotency_key: `${body.idempotency_key}${ending}` }
    const session = await tryCreate(c, near, { key: 'primary' })
    if (session === undefined) continue
    made.push(session.id)
    await c.close(session)
  }
  return made
}

/** The same create twice, then with keys that are nearly its own. @returns the ids of what it made */
const repeat = step([refusedOpening], async (c, body: Keyed): Promise<readonly string[]> => {
  const first = await c.create(body)
  await c.attempt(body, { retry: 'never' })
  await refusedOpening(c, first)
  await c.close(first)
  return [first.id, ...(c.takes('neighbours') ? await neighbours(c, body) : [])]
})

const row = 'avatar-sessions.idempotency'

/** What a list shows after the creates, and did not show before. */
const duplicates = (rows: readonly RequirementId[]): Optional => ({ id: 'search', rows: [], also: rows, requests: 1 })

/** What is left of it without all of these: a list. */
const optional = eachRowOnce([
  {
    id: 'again',
    rows: [valid, `${row}.retry-same-session`, `${row}.retry-shows-same`],
    also: [`${row}.after-5xx-one-session`, 'errors.retry.after-5xx-same-key'],
    requests: 3,
  },
  { id: 'neighbours', rows: [`${row}.other-key-other-session`], requests: 4, needs: ['again'] },
  {
    id: 'race',
    rows: [
      `${row}.concurrent-one-session`,
      `${row}.after-5xx-one-session`,
      `${row}.retry-same-session`,
      'errors.retry.after-5xx-same-key',
    ],
    requests: 6,
  },
  duplicates([
    `${row}.retry-same-session`,
    `${row}.concurrent-one-session`,
    `${row}.after-5xx-one-session`,
    `${row}.other-key-other-session`,
  ]),
])

/** The same create again with its key, one after the other and all at once. */
export const retries = scenario({
  id: 'avatar-sessions.create-retried',
  price: { requests: { primary: 17 }, typical: 15, sessions: { primary: 1 } },
  runs: 'alone',
  steps: [repeat],
  observes: [
    `${row}.retry-same-session`,
    `${row}.retry-shows-same`,
    `${row}.concurrent-one-session`,
    `${row}.after-5xx-one-session`,
    `${row}.other-key-other-session`,
    'errors.retry.after-5xx-same-key',
  ],
  optional,
  async drive(c) {
    const before = await c.call('list-avatar-sessions')
    const ours = c.takes('again') ? await repeat(c, marked(c, 'again')) : []
    const raced = c.takes('race') ? await race(c) : []
    if (c.takes('search')) await searchDuplicates(c, before, new Set([...ours, ...raced]))
  },
})

/** Four creates at once with one key, then one more: again with another key while the workspace is full. */
async function race(c: Context): Promise<ReadonlySet<string>> {
  for (let pause = 300; ; pause *= 1.6) {
    const body = marked(c, 'volley')
    await waitForRateBudget(c, 'primary', 4)
    const answers = await Promise.all([1, 2, 3, 4].map(() => c.attempt(body, { retry: 'never' })))
    // Beside a winner in a full workspace stand losers that are told of the winner, and of nothing else.
    if (answers.some(({ ok }) => ok) || answers.every(({ status }) => status !== 429) || pause > 8_000) {
      const last = await again(c, body, answers)
      const made = new Set([...answers, last].flatMap((answer) => (answer.ok ? [c.adopt(answer).id] : [])))
      return last.status < 500 ? made : new Set([...made, ...(await unstick(c, body))])
    }
    await c.wait(pause, 'quota')
  }
}

/**
 * So many rounds tell a fault that sticks to its key from one that comes by chance; so far apart, they take longer than half
 * a minute, for which a part of the service may be away that holds the key.
 */
const rounds = 18
const round_ms = 1_800
const mostOthers = 4

/**
 * A fault that sticks to its key does not stick to another one: between two retries another create succeeds. Sometimes one
 * more is sent, so that a service of which every second answer fails is not met in step.
 *
 * @returns the ids of what it made
 */
async function unstick(c: Context, body: JsonObject): Promise<readonly string[]> {
  const made: string[] = []
  const attempt = async (one: JsonObject): Promise<Exchange> => {
    const answer = await c.attempt(one, { retry: 'never' })
    if (!answer.ok) return answer
    const session = c.adopt(answer)
    made.push(session.id)
    await c.close(session)
    return answer
  }
  for (let round = 0; round < rounds; round += 1) {
    const fresh = () => attempt({ ...body, idempotency_key: c.id('fresh') })
    for (let others = 0; others < mostOthers && !(await fresh()).ok; ) others += 1
    if (c.random(2) === 1) await fresh()
    await c.wait(round_ms, 'backoff')
    const { status } = await attempt(body)
    if (status < 500) break
  }
  return made
}

/** Once more; where the service failed before, as often as it takes to be sure that none of the creates is still running. */
async function again(c: Context, body: JsonObject, before: readonly Exchange[]): Promise<Exchange> {
  let last = await c.attempt(body)
  if (!before.some(({ status }) => status >= 500)) return last
  for (const pause of patience(c)) {
    if (last.ok || last.status >= 500) break
    await c.wait(pause, 'backoff')
    last = await c.attempt(body)
  }
  return last
}

/** A target may be quicker than we are; after so many tries it is left alone. */
const tries = 3
/** Time for the target to finish what nobody waits for any more. */
const leisure_ms = 700
/** A retry may meet the create that is still running, as the losers of a volley do; it is asked again after these. */
const pauses_ms = [leisure_ms, 2_000, 4_000, 8_000, 16_000] as const

/** Those that fit into twice the time in which a create is answered: then none is still running. */
function patience({ timeouts }: Context): readonly number[] {
  let passed = 0
  return pauses_ms.filter((pause) => {
    const left = passed < 2 * timeouts.reply_ms
    passed += pause
    return left
  })
}

const retriedRow = 'errors.retry.after-timeout-same-key'

/** The session that one of the retries brings. */
const retried = step([retriedRow], async (c, body: JsonObject, key: KeyName): Promise<OpenSession> => {
  const last = c.exchange()
  const early = patience(c).map((wait_ms) => ({ wait_ms, exchange: c.exchange() }))
  c.claim(retriedRow, any(...[...early.map(({ exchange }) => exchange), last].map(accepted)))
  for (const { exchange, wait_ms } of early) {
    const answer = await c.attempt(body, { exchange, key })
    if (answer.ok) return c.adopt(answer, key)
    await c.wait(wait_ms, 'backoff')
  }
  return c.create(body, { exchange: last, key })
})

/** @returns the id of the session that came of the retry */
const giveUp = step([retried], async (c, wait_ms: number, key: KeyName): Promise<string> => {
  for (let round = 1; ; round += 1) {
    const body = marked(c, 'given-up')
    const lost = await c.attempt(body, { retry: 'never', give_up: true, key })
    if (lost.ok && round < tries) {
      await c.close(c.adopt(lost, key))
      continue
    }
    if (wait_ms > 0) await c.wait(wait_ms, 'backoff')
    const session = await retried(c, body, key)
    await c.attempt(body, { key })
    await c.close(session)
    return session.id
  }
})

/** A create whose answer nobody waited for, tried again at once and after a while. */
export const givenUp = scenario({
  id: 'avatar-sessions.create-given-up',
  price: { requests: { same_workspace: 20 }, typical: 11, sessions: { primary: 1 } },
  runs: 'alone',
  steps: [giveUp],
  observes: [`${row}.after-timeout-one-session`],
  optional: [duplicates([`${row}.after-timeout-one-session`])],
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const before = await c.call('list-avatar-sessions', { key })
    const ours = new Set<string>()
    for (const wait of [0, leisure_ms]) ours.add(await giveUp(c, wait, key))
    if (c.takes('search')) await searchDuplicates(c, before, ours, key)
  },
})

export const idempotencyChecks: readonly Scenario[] = [retries, givenUp]
