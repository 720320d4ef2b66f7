import type { Exchange } from '#client/types'
import { listWith, listWithout } from '#scenario/author/look-for-sessions'
import type { Context, OpenSession } from '#scenario/author/context'
import { twoLooks } from '#scenario/author/look-twice'
import { acceptance } from '#scenario/author/expectation'
import { isFull, late_ms } from '#scenario/author/retry-transient'
import { eachRowOnce } from '#scenario/author/optional'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { ended, look, saysGoingOn } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import { ending } from '#judge/sessions/session-end'
import { any, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from '#scenario/author/bodies'
import { tryCreate } from '../create/send.ts'
import { expectWorking } from './working.ts'

/** An admitted channel that answers: whatever Get says, the session is open. */
async function proveOpen(c: Context, session: OpenSession): Promise<void> {
  const channel = await c.connect(session)
  channel.send({ type: 'session.update', event_id: c.id('open'), session: { mode: 'text_chat' } })
  await channel.next([event('session.updated'), event('error')], { within_ms: c.timeouts.event_ms })
  await channel.close()
}

const asked = ['get', 'close'] as const

const askForUnissued = step(
  asked.flatMap(
    (what) =>
      [`avatar-sessions.${what}.unknown-session-rejected`, `errors.code-20005.${what}-unknown-avatar-session`] as const,
  ),
  async (c, session: OpenSession, controls: { readonly get: number; readonly close: number }) => {
    const strange = unissued(session.id)
    for (const what of asked) {
      const rows = `avatar-sessions.${what}.unknown-session-rejected` as const
      const coded = `errors.code-20005.${what}-unknown-avatar-session` as const
      const expect = unfound({ rows, coded }, strange, controls[what])
      await c.call(`${what}-avatar-session`, { params: { session_id: strange.id }, expect })
    }
  },
)

/** From create to closed: what Get, List and Close do with one session and with ids that nobody issued. */
export const life = scenario({
  id: 'avatar-sessions.life-of-a-session',
  tier: 'smoke',
  price: { requests: { primary: 16 }, typical: 9, sessions: { primary: 1 } },
  steps: [askForUnissued],
  claims: ['avatar-sessions.get.own-session-found', 'avatar-sessions.list.accepted', 'avatar-sessions.close.accepted'],
  observes: [
    'versioning.rest-paths.under-v1',
    'avatar-sessions.get.names-session',
    'avatar-sessions.get.agrees-with-create',
    'avatar-sessions.get.open-session-not-closed',
    'avatar-sessions.status.in-set-on-get',
    'avatar-sessions.session.auto-close-snapshot',
    'avatar-sessions.list.shows-open-sessions',
    'avatar-sessions.list.hides-closed-sessions',
    'avatar-sessions.list.each-once',
    'avatar-sessions.close.leaves-active',
    'avatar-sessions.close.reaches-closed',
    'avatar-sessions.close.closed-shown-by-get',
  ],
  async drive(c) {
    const session = await c.create(textChat())
    const [close, looks] = [c.exchange(), twoLooks(c)]
    const found = await look(c, session, { expect: acceptance('avatar-sessions.get.own-session-found') })
    c.expect(acceptance('avatar-sessions.list.accepted'), looks[0])
    await listWith(c, [session], { looks })
    await proveOpen(c, session)
    await askForUnissued(c, session, { get: found.exchange, close })
    await c.close(session, { exchange: close, expect: acceptance('avatar-sessions.close.accepted') })
    await c.closed(session)
    await listWithout(c, session)
  },
})

const spared = 'avatar-sessions.close.leaves-others-open'

/**
 * Get finds the session open, and its control channel works. A service may end a session by itself ("or maintenance", 3.1):
 * where this one is over, that of another pair has to be, too.
 */
const findOpen = step([spared], async (c, second: OpenSession, another: () => Promise<OpenSession>) => {
  const [first, again] = [c.exchange(), c.exchange()]
  c.claim(spared, any(saysGoingOn(first), saysGoingOn(again)))
  let session = second
  if (ended(await look(c, second, { exchange: first }), second, ending)) {
    session = await another()
    await look(c, session, { exchange: again })
  }
  // It is none of the world sessions; a rule judges the answer beside those that were found.
  if (c.offers('world_sessions')) await c.call('get-world-session', { params: { session_id: session.id } })
  await expectWorking(c, session, spared)
  return session
})

/** What is left of it without all of these: two sessions, the first of which is closed before the second. */
const optional = eachRowOnce([
  { id: 'listed', rows: ['avatar-sessions.list.shows-open-sessions'], requests: 2 },
  {
    id: 'another',
    rows: ['avatar-sessions.idempotency.other-key-other-session', 'avatar-sessions.idempotency.retry-same-session'],
    requests: 4,
  },
  {
    id: 'closed-again',
    rows: ['avatar-sessions.close.never-active-again', 'avatar-sessions.close.closed-is-final'],
    requests: 3,
  },
])

const keyless = 'avatar-sessions.idempotency.without-key-new-session'

/** Two sessions side by side, created without idempotency keys: closing one leaves the other alone. */
export const pair = scenario({
  id: 'avatar-sessions.two-sessions',
  price: { requests: { primary: 24 }, typical: 16, sessions: { primary: 2 }, waits: 6 },
  steps: [findOpen],
  claims: [keyless],
  observes: [
    'avatar-sessions.close.never-active-again',
    'avatar-sessions.close.closed-is-final',
    'avatar-sessions.idempotency.other-key-other-session',
    'avatar-sessions.idempotency.retry-same-session',
    'avatar-sessions.list.shows-open-sessions',
  ],
  optional,
  async drive(c) {
    // By the avatar's id the session is found again, should an answer be lost.
    const body = textChat({ avatars: [{ avatar_id: c.id('keyless') }] })
    const first = await createWithoutKey(c, body)
    const second = await createWithoutKey(c, body)
    // A session is open whether nobody was ever connected to it, or nobody is any more.
    await (await c.connect(second)).close()
    if (c.takes('listed')) await listWith(c, [second])
    await c.close(first)
    const open = await findOpen(c, second, async () => {
      const [one, other] = [await createWithoutKey(c, body), await createWithoutKey(c, body)]
      await c.close(one)
      return other
    })
    // A session to which somebody is connected is open, too.
    if (c.takes('listed')) await listWith(c, [open])
    if (c.takes('another')) await makeAnother(c, open)
    if (c.takes('closed-again')) await closeAgain(c, first)
  },
})

/** What is closed stays closed, whoever asks for it again; later than any copy of the service may be behind. */
async function closeAgain(c: Context, session: OpenSession): Promise<void> {
  // Closing takes a moment: what asks at once asks twice.
  await c.wait(200, 'backoff')
  await c.closed(session)
  await c.wait(c.timeouts.lag_ms, 'lag')
  await c.call('close-avatar-session', { params: { session_id: session.id } })
  await look(c, session)
}

/** So long that none of the usual lengths cuts it off unseen. */
const length = 80

/**
 * Two sessions with equal bodies and keys that differ in case only, and that behind so many characters; the first key
 * still stands for the first session. How long a key may be is not said: where so long a one is refused, it is a short one.
 */
async function makeAnother(c: Context, old: OpenSession): Promise<void> {
  const short = c.id('short')
  const long = `${short.padEnd(length, 'x')}a`
  const made = await tryCreate(c, keyed(long), { key: 'primary' })
  if (made === undefined) await c.create(keyed(short))
  await c.close(old)
  await c.create(keyed(made === undefined ? short.toUpperCase() : `${long.slice(0, -1)}A`))
  // A retry "after timeout" may come late (4.1).
  await c.wait(late_ms, 'timer')
  await c.attempt(keyed(made === undefined ? short : long), { retry: 'never' })
}

const keyed = (idempotency_key: string): JsonObject => textChat({ idempotency_key })

/** A create without idempotency key; waits while the workspace is full, and asks again where the service failed. */
async function createWithoutKey(c: Context<typeof keyless>, body: JsonObject): Promise<OpenSession> {
  // "`idempotency_key` … no": whoever does not retry needs none.
  const exchange = c.expect(acceptance(keyless))
  for (let pause = 250; ; pause *= 1.5) {
    const answered = await c.attempt(body, { exchange })
    if (answered.ok) return c.adopt(answered)
    if (pause > 8_000) return giveWay(c, answered)
    if (!isFull(answered) && answered.status < 500) return c.adopt(answered)
    await c.wait(pause, isFull(answered) ? 'quota' : 'backoff')
  }
}

/** A workspace may have room for one session only: its cap is not shown. */
function giveWay(c: Context, answered: Exchange): OpenSession {
  if (isFull(answered)) c.block('model_choice', 'the workspace has no room for two sessions')
  return c.adopt(answered)
}

export const lifecycles: readonly Scenario[] = [life, pair]
