import { waitForRateBudget } from '#scenario/author/rate-budget'
import { pickKey } from '#scenario/author/pick-key'
import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { acceptance, type Expectation, outcome, rejection } from '#scenario/author/expectation'
import { eachRowOnce } from '#scenario/author/optional'
import { poll } from '#scenario/author/poll'
import { late_ms } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import { accepted, answer, same } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { merged, text } from '../bodies.ts'
import { type Offers, offersOf } from '../create/offers.ts'
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

/** "Idempotency key reused with a different body" (section 7). */
const conflict = step(
  [`${row}.other-body-conflict`, `${row}.other-nested-value-conflict`, `${row}.conflict-code`],
  async (c, body: JsonObject, { of, control }: { of: 'other-body' | 'other-nested-value'; control: number }) => {
    const rows = `${row}.${of}-conflict` as const
    const expect = rejection({ rows, coded: `${row}.conflict-code`, codes: [30004], control })
    await sendCreate(c, body, { ...lane(c), expect })
  },
)

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
    conflict,
    'world-sessions.create.aspect-ratio-16-9-accepted',
    'world-sessions.create.live-audio-off-accepted',
    `${row}.retry-same-session`,
    `${row}.conflict-changes-nothing`,
  ],
  async (c, body: Keyed): Promise<Exchange> => {
    const made = await sendCreate(c, body, {
      ...lane(c),
      expect: acceptance([
        'world-sessions.create.aspect-ratio-16-9-accepted',
        'world-sessions.create.live-audio-off-accepted',
      ]),
    })
    if (worldOf(made) === undefined) return c.block('prerequisite', 'the create was refused')
    const { exchange: control } = made
    const good = { given: [accepted(control)] }
    await sendCreate(c, body, { ...lane(c), ...once, expect: acceptance(`${row}.retry-same-session`, good) })
    // One member of the body is another one, each time: what is no part of the comparison shows.
    const others = [
      { output: { aspect_ratio: '9:16' } },
      { initial_prompt: { content: [gulls, sea] } },
      { max_session_duration_seconds: 300 },
    ]
    if (c.takes('others')) {
      for (const other of others) await conflict(c, { ...body, ...other }, { of: 'other-body', control })
      // A value is its letters, large and small ones.
      await conflict(c, merged(body, { metadata: { take: 'One' } }), { of: 'other-nested-value', control })
    }
    const kept = `${row}.conflict-changes-nothing` as const
    const isSame = (last: number) => same(...[control, last].map((exchange) => answer(exchange, '/data/session_id')))
    const expect = [acceptance(kept, good), outcome([kept, `${row}.retry-same-session`], isSame, good)]
    // A retry "after timeout" may come late (4.5).
    await c.wait(late_ms, 'timer')
    const shown = await sendCreate(c, body, { ...lane(c), expect })
    if (c.takes('neighbour')) await neighbour(c, body)
    await closeIt(c, shown.ok ? shown : made, lane(c).key)
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
  [conflict, `${row}.after-timeout-one-session`, `${row}.retry-same-session`],
  async (c, body: JsonObject, offers: Offers) => {
    await c.call('create-world-session', { ...lane(c), body, ...once, give_up: true })
    const first = await untilTaken(c, body, acceptance(`${row}.after-timeout-one-session`))
    if (!first.ok) return
    if (takesTexts(offers)) {
      const other = { ...body, ...captain(offers, 'A captain in a red coat.') }
      await conflict(c, other, { of: 'other-nested-value', control: first.exchange })
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
    rows: [
      `${row}.other-body-conflict`,
      `${row}.other-nested-value-conflict`,
      `${row}.conflict-code`,
      `${row}.conflict-changes-nothing`,
    ],
    requests: 4,
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
  price: { requests: { other_workspace: 33 }, typical: 20, waits: 4 },
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
