import { roomFor } from '#scenario/author/room-for'
import { keyOf } from '#scenario/author/key-of'
import type { Exchange, RestCall } from '#client/types'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, rejected, same } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { merged, minimal, text } from '../bodies.ts'
import { type Offers, offersOf } from '../create/offers.ts'
import { closeIt, sendCreate, worldOf } from '../send.ts'

const row = 'world-sessions.idempotency'
const once = { retry: 'never' } as const

/** The key for all of it. */
const lane = (c: Context) => ({ key: keyOf(c, 'other_workspace') })

/** Two blocks, of which the order counts: "Content arrays are ordered" (2.13). */
const [sea, gulls] = [text('A calm sea at dawn.'), text('Gulls cry in the distance.')]

/** One body for all, so that the keys alone make the difference; it names defaults and an idle time besides. */
function marked(): JsonObject {
  const live_input = { audio: { enabled: false } }
  const continuation = { max_idle_ms: 60_000 }
  const metadata = { take: 'one', scene: 'beach' }
  const optional = { output: { aspect_ratio: '16:9' }, live_input, continuation, metadata }
  return { ...merged(minimal(), optional), initial_prompt: { content: [sea, gulls] } }
}

/** The same create again with its key: with the same body, with others, all at once, and after an answer that was given up. */
export const idempotency: Scenario = {
  id: 'world-sessions.create-again',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { other_workspace: 30 }, typical: 17 },
  proves: [
    `${row}.retry-same-session`,
    `${row}.concurrent-one-session`,
    `${row}.other-body-conflict`,
    `${row}.other-nested-value-conflict`,
    `${row}.conflict-code`,
    `${row}.conflict-changes-nothing`,
    `${row}.other-key-other-session`,
    `${row}.after-429-one-session`,
    `${row}.after-5xx-one-session`,
    `${row}.after-timeout-one-session`,
    'world-sessions.create.aspect-ratio-16-9-accepted',
    'world-sessions.create.live-audio-off-accepted',
    'world-sessions.output.partial-keeps-defaults',
    'world-sessions.live-input.disabled-effective',
    'world-sessions.continuation.start-mode-default',
    'world-sessions.references.name-only',
  ],
  async drive(c: Context) {
    // Another key is one that differs in its last character, or in its capitals.
    const key = c.id('world')
    const offers = offersOf(await again(c, { ...marked(), idempotency_key: `${key}-a` }), c.profile)
    await race(c, { ...marked(), idempotency_key: `${key}-A` })
    await giveUp(c, { ...marked(), ...captain(offers), idempotency_key: `${key}-b` }, offers)
  },
}

/** @returns the create that made the session */
async function again(c: Context, body: JsonObject): Promise<Exchange> {
  const [first, retry, last] = [c.exchange(), c.exchange(), c.exchange()]
  c.claim('world-sessions.create.aspect-ratio-16-9-accepted', accepted(first))
  c.claim('world-sessions.create.live-audio-off-accepted', accepted(first))
  const made = await sendCreate(c, body, { ...lane(c), exchange: first })
  if (worldOf(made) === undefined) c.block('prerequisite', 'the create was refused')
  const good = { given: [accepted(first)] }
  c.claim(`${row}.retry-same-session`, accepted(retry), good)
  await sendCreate(c, body, { ...lane(c), exchange: retry, ...once })
  await conflict(c, 'other-body', { ...body, initial_prompt: { content: [text('A busy harbour at noon.')] } }, first)
  await conflict(c, 'other-body', { ...body, initial_prompt: { content: [gulls, sea] } }, first)
  await conflict(c, 'other-nested-value', merged(body, { metadata: { take: 'two' } }), first)
  const ids = [first, last].map((exchange) => answer(exchange, '/data/session_id'))
  c.claim(`${row}.conflict-changes-nothing`, accepted(last), good)
  c.claim(`${row}.conflict-changes-nothing`, same(...ids), good)
  const shown = await sendCreate(c, body, { ...lane(c), exchange: last })
  await closeIt(c, shown.ok ? shown : made, lane(c).key)
  return made
}

/** "Idempotency key reused with a different body" (section 7). */
async function conflict(
  c: Context,
  name: 'other-body' | 'other-nested-value',
  body: JsonObject,
  twin: number,
): Promise<void> {
  const exchange = c.exchange()
  c.claim(`${row}.${name}-conflict`, rejected(exchange, twin))
  c.claim(`${row}.conflict-code`, rejected(exchange, twin, [30004]))
  await sendCreate(c, body, { ...lane(c), exchange })
}

/** Creates at once with one key; what the losers are told is left open, but the key has one session in the end. */
async function race(c: Context, body: JsonObject): Promise<void> {
  await roomFor(c, lane(c).key, 3)
  const send = (call: RestCall) => c.call('create-world-session', { ...lane(c), ...call, body })
  await Promise.all([1, 2, 3].map(() => send(once)))
  const exchange = c.exchange()
  c.claim(`${row}.concurrent-one-session`, accepted(exchange))
  await closeIt(c, await insist(c, body, exchange), lane(c).key)
}

/** A reference, where these sessions take texts for one. */
function captain(offers: Offers, words = 'A captain in a blue coat.'): JsonObject {
  if (!takesTexts(offers)) return {}
  return { references: [{ name: 'captain', content: [text(words)] }] }
}

const takesTexts = ({ types, references }: Offers): boolean => types.has('input_text') && references > 0

/** A create whose answer nobody waited for; with what a session takes of references. */
async function giveUp(c: Context, body: JsonObject, offers: Offers): Promise<void> {
  await c.call('create-world-session', { ...lane(c), body, ...once, give_up: true })
  const [first, retry] = [c.exchange(), c.exchange()]
  c.claim(`${row}.after-timeout-one-session`, accepted(first))
  if (!(await insist(c, body, first)).ok) return
  if (takesTexts(offers)) {
    await conflict(c, 'other-nested-value', { ...body, ...captain(offers, 'A captain in a red coat.') }, first)
  }
  c.claim(`${row}.after-timeout-one-session`, accepted(retry))
  c.claim(`${row}.retry-same-session`, accepted(retry))
  await closeIt(c, await sendCreate(c, body, { ...lane(c), exchange: retry }), lane(c).key)
}

/**
 * A retry may meet the create that is still running, and be told so in any words, as the losers of a volley are; it is
 * asked again after these.
 */
const patience_ms = [700, 2_000, 4_000, 8_000, 8_000]

/** Sends the retry, under its number, until it is accepted. */
async function insist(c: Context, body: JsonObject, exchange: number): Promise<Exchange> {
  const send = () => sendCreate(c, body, { ...lane(c), exchange })
  let came = await send()
  for (const pause of patience_ms) {
    if (came.ok) break
    await c.wait(pause, 'backoff')
    came = await send()
  }
  return came
}
