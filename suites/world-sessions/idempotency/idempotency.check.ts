import { waitForRateBudget } from '#scenario/author/rate-budget'
import { pickKey } from '#scenario/author/pick-key'
import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { acceptance, type Expectation } from '#scenario/author/expectation'
import { eachRowOnce } from '#scenario/author/optional'
import { poll } from '#scenario/author/poll'
import { late_ms } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import { accepted } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { merged, text } from '../bodies.ts'
import { type Offers, offersOf } from '../create/offers.ts'
import { conflict, conflictRows, endOther } from './conflict.ts'
import { closeIt, sendCreate, worldOf } from '../send.ts'

const row = 'world-sessions.idempotency'
const once = { retry: 'never' } as const

/** The key for all of it. */
const lane = (c: Context) => ({ key: pickKey(c, 'other_workspace') })

/** Two blocks, of which the order counts: "Content arrays are ordered" (2.13). */
const [sea, gulls] = [text('A calm sea at dawn.'), text('Gulls cry in the distance.')]

/** A body with a key. */
interface Keyed extends JsonObject {
  readonly idempotency_key: string
}

/** One body for all, so that the keys alone make the difference; it names defaults and an idle time besides. */
function marked(): JsonObject {
  const live_input = { audio: { enabled: false } }
  const continuation = { max_idle_ms: 60_000 }
  const metadata = { take: 'one', scene: 'beach' }
  const optional = { output: { aspect_ratio: '16:9' }, live_input, continuation, metadata }
  return { ...merged(minimal(), optional), initial_prompt: { content: [sea, gulls] } }
}

/**
 * The same create with a key that has a blank more. Which letters a key may have is not said: one that is refused tells
 * nothing.
 */
async function neighbour(c: Context, body: Keyed): Promise<void> {
  const near = { ...body, idempotency_key: `${body.idempotency_key} ` }
  await closeIt(c, await sendCreate(c, near, { ...lane(c), ...once }), lane(c).key)
}

/** With the same body, with others, and with the first one again. @returns the create that made the session */
const repeat = step(
  [
    ...conflictRows,
    'world-sessions.create.aspect-ratio-16-9-accepted',
    'world-sessions.create.live-audio-off-accepted',
    `${row}.retry-same-session`,
    `${row}.conflict-changes-nothing`,
  ],
  async (c, named: Keyed): Promise<Exchange> => {
    const expect = acceptance([
      'world-sessions.create.aspect-ratio-16-9-accepted',
      'world-sessions.create.live-audio-off-accepted',
    ])
    const exchange = c.expect(expect)
    let body = named
    // The key of a session that failed may be free again (3.2): that of another one shows what keys do.
    const make = () => sendCreate(c, body, { ...lane(c), exchange })
    let made = await make()
    for (let count = 0; count < 2 && at(made.data, '/status') === 'failed'; count += 1) {
      body = { ...body, idempotency_key: `${body.idempotency_key}-${count}` }
      made = await make()
    }
    const world = worldOf(made, lane(c).key)
    if (world === undefined) return c.block('prerequisite', 'the create was refused')
    const { exchange: control } = made
    const good = { given: [accepted(control)] }
    await sendCreate(c, body, { ...lane(c), ...once, expect: acceptance(`${row}.retry-same-session`, good) })
    // One member of the body is another one, each time, or there, or not there: what is no part of the comparison shows.
    const { metadata: _, ...fewer } = body
    const others = [
      { ...body, output: { aspect_ratio: '9:16' } },
      { ...body, initial_prompt: { content: [gulls, sea] } },
      { ...body, max_session_duration_seconds: 300 },
      fewer,
    ]
    if (c.takes('others')) {
      for (const other of others) await conflict(c, other, { of: conflictRows[0], world })
      // A value is its letters, large and small ones.
      await conflict(c, merged(body, { metadata: { take: 'One' } }), { of: conflictRows[1], world })
    }
    // A retry "after timeout" may come late (4.5).
    await c.wait(late_ms, 'timer')
    const rows = [`${row}.conflict-changes-nothing`, `${row}.retry-same-session`] as const
    await endOther(c, world, await sendCreate(c, body, { ...lane(c), expect: acceptance(rows, good) }))
    if (c.takes('neighbour')) await neighbour(c, body)
    await closeIt(c, made, lane(c).key)
    return made
  },
)

/** Creates at once with one key; what the losers are told is left open, but the key has one session in the end. */
const race = step([`${row}.concurrent-one-session`], async (c, body: JsonObject) => {
  await waitForRateBudget(c, lane(c).key, 2)
  await Promise.all([1, 2].map(() => c.call('create-world-session', { ...lane(c), ...once, body })))
  await closeIt(c, await untilTaken(c, body, acceptance(`${row}.concurrent-one-session`)), lane(c).key)
})

/** A reference, where these sessions take texts for one. */
function captain(offers: Offers, words = 'A captain in a blue coat.'): JsonObject {
  if (!takesTexts(offers)) return {}
  return { references: [{ name: 'captain', content: [text(words)] }] }
}

const takesTexts = ({ types, references }: Offers): boolean => types.has('input_text') && references > 0

/** A create whose answer nobody waited for; with what a session takes of references. */
const giveUp = step(
  [...conflictRows, `${row}.after-timeout-one-session`, `${row}.retry-same-session`],
  async (c, body: JsonObject, offers: Offers) => {
    await c.call('create-world-session', { ...lane(c), body, ...once, give_up: true })
    const first = await untilTaken(c, body, acceptance(`${row}.after-timeout-one-session`))
    const world = worldOf(first, lane(c).key)
    if (world === undefined) return
    if (takesTexts(offers)) {
      const other = { ...body, ...captain(offers, 'A captain in a red coat.') }
      await conflict(c, other, { of: conflictRows[1], world })
    }
    const expect = acceptance([`${row}.after-timeout-one-session`, `${row}.retry-same-session`])
    await closeIt(c, await sendCreate(c, body, { ...lane(c), expect }), lane(c).key)
  },
)

/**
 * A retry may meet the create that is still running, and be told so in any words, as the losers of a volley are: it is
 * sent, under its number, until it is accepted.
 */
function untilTaken<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  expect: Expectation<Row>,
): Promise<Exchange> {
  const exchange = c.expect(expect)
  const send = () => sendCreate(c, body, { ...lane(c), exchange })
  return poll(c, send, ({ ok }) => ok, { within_ms: 22_000, first: 700, longest: 8_000 })
}

/** What is left of it without all of these: a create, the same twice more, and its close. */
const optional = eachRowOnce([
  { id: 'neighbour', rows: [`${row}.other-key-other-session`], requests: 2 },
  {
    id: 'others',
    rows: [...conflictRows, `${row}.conflict-changes-nothing`],
    requests: 5,
  },
  { id: 'race', rows: [`${row}.concurrent-one-session`, `${row}.other-key-other-session`], requests: 4 },
  {
    id: 'given-up',
    rows: [
      `${row}.after-timeout-one-session`,
      `${row}.other-key-other-session`,
      `${row}.other-nested-value-conflict`,
      'world-sessions.references.name-only',
    ],
    also: [`${row}.retry-same-session`],
    requests: 5,
  },
])

/** The same create again with its key: with the same body, with others, all at once, and after an answer that was given up. */
export const idempotency = scenario({
  id: 'world-sessions.create-again',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { other_workspace: 34 }, typical: 21, waits: 4 },
  optional,
  steps: [repeat, race, giveUp],
  observes: [
    `${row}.other-key-other-session`,
    `${row}.after-429-one-session`,
    `${row}.after-5xx-one-session`,
    'world-sessions.output.partial-keeps-defaults',
    'world-sessions.live-input.disabled-effective',
    'world-sessions.continuation.start-mode-default',
    'world-sessions.references.name-only',
  ],
  async drive(c) {
    // Another key is one that differs in its last character, or in its capitals.
    const key = c.id('world')
    const offers = offersOf(await repeat(c, { ...marked(), idempotency_key: `${key}-a` }), c.profile)
    if (c.takes('race')) await race(c, { ...marked(), idempotency_key: `${key}-A` })
    if (c.takes('given-up')) await giveUp(c, { ...marked(), ...captain(offers), idempotency_key: `${key}-b` }, offers)
  },
})
