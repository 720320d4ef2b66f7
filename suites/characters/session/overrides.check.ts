import { roomFor } from '#scenario/author/room-for'
import { keyOf } from '#scenario/author/key-of'
import type { Exchange, Recall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition, Operand } from '#trace/claim'
import { accepted, all, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import {
  beginAndClose,
  beginInVain,
  get,
  mustSave,
  needsCharacters,
  type Refusal,
  refuseStart,
  replace,
  tryBegin,
} from '../acts.ts'
import { ada, bea, lookUp, pairCharacter, without } from '../bodies.ts'
import { rowsWithoutKey, startWithoutKeys } from './without-key.ts'

const part = 'characters.session'
const start = 'create-session-from-character'

const refusals: readonly (Omit<Refusal, 'twin'> & { readonly body: JsonObject })[] = [
  {
    rows: [`${part}.model-override-unknown-rejected`],
    code: [['characters.code-30004.start-model-unsupported'], [30004]],
    body: { model: 'svc-a1-stream-pro' },
  },
  { rows: [`${part}.recording-unknown-rejected`], body: { recording_mode: 'sometimes' } },
]

/** Sent to a character without timers, which would be longer than these. */
const tooShortRefusals: typeof refusals = [
  {
    rows: [`${part}.max-duration-three-rejected`],
    code: [['characters.code-30004.start-duration-unsupported'], [30004]],
    body: { max_duration_seconds: 3 },
  },
  { rows: [`${part}.max-duration-zero-rejected`], body: { max_duration_seconds: 0 } },
]

/** What a start may override, must not override, and must not say. */
export const overrides: Scenario = {
  id: 'characters.overrides',
  needs: needsCharacters,
  proves: [
    ...[...refusals, ...tooShortRefusals].flatMap(({ rows, code }) => [...rows, ...(code?.[0] ?? [])]),
    `${part}.recording-on-accepted`,
    `${part}.recording-off-accepted`,
    `${part}.max-duration-four-accepted`,
    `${part}.model-overridden`,
    `${part}.overrides-not-kept`,
    `${part}.output-ignored-in-text-chat`,
    ...rowsWithoutKey,
    `${part}.concurrent-one-session`,
    `${part}.avatars-without-effect`,
    `${part}.conversation-without-effect`,
    `${part}.auto-close-without-effect`,
    `${part}.body-leaves-character`,
    `${part}.character-id-missing-rejected`,
    `${part}.max-duration-below-auto-close`,
    `${part}.model-missing-refused`,
    `${part}.model-supplied`,
    'characters.replace.model-gone',
  ],
  price: { requests: { same_workspace: 65 }, typical: 38, sessions: { same_workspace: 1 } },
  async drive(c) {
    const key = keyOf(c, 'same_workspace')
    const known_by = c.id('third')
    // A key that comes with a save is not the key of any start.
    const first = { ...base(c, 'overridden', known_by), idempotency_key: c.id('save') }
    const character_id = await mustSave(c, first, { key })
    const plain = await overridden(c, character_id, { key, recall: { known_by } })
    await race(c, character_id, key)
    await smuggle(c, character_id, { plain, key, third: known_by })
    for (const { body, ...refusal } of refusals) {
      await refuseStart(c, { ...refusal, twin: plain }, { character_id, ...body }, key)
    }
    await refuseStart(c, { rows: [`${part}.character-id-missing-rejected`], twin: plain }, {}, key)
    const after = c.exchange()
    for (const [place, wanted] of Object.entries(saved)) {
      c.claim(`${part}.body-leaves-character`, equals(answer(after, place), value(wanted)))
    }
    c.claim(`${part}.body-leaves-character`, different(answer(after, '/data/avatars/**'), value('zoe')))
    await get(c, character_id, { exchange: after, key })
    await tooShort(c, character_id, key)
    await withoutModel(c, character_id, key)
  },
}

const saved = {
  '/data/model': 'svc-a1-stream',
  '/data/max_duration_seconds': 600,
  '/data/conversation/tools/**': 'look_up',
  '/data/avatars/**': 'bea',
  '/data/auto_close/interaction_idle_timeout_seconds': 240,
} as const

/** With a third avatar, by whose id its sessions can be told from all others. */
function base(c: Context, word: string, third = c.id('third')): JsonObject {
  const pair = pairCharacter(c, word)
  return {
    ...pair,
    avatars: [...(pair['avatars'] as readonly Json[]), { avatar_id: third }],
    conversation: { tools: [lookUp] },
    max_duration_seconds: 600,
    auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 240 },
  }
}

/** @returns the last of two starts without a key, which are the same but for nothing */
async function overridden(c: Context, character_id: string, { key, recall }: Way): Promise<number> {
  const [off, on, text, one, other] = [c.exchange(), c.exchange(), c.exchange(), c.exchange(), c.exchange()]
  c.claim(`${part}.recording-off-accepted`, accepted(off))
  const lite: JsonObject = c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}
  await beginAndClose(c, { character_id, recording_mode: 'off', ...lite }, { exchange: off, key })
  c.claim(`${part}.recording-on-accepted`, accepted(on))
  await beginAndClose(c, { character_id, recording_mode: 'on' }, { exchange: on, key })
  c.claim(`${part}.output-ignored-in-text-chat`, accepted(text))
  const output = { aspect_ratio: '16:9', resolution: '720p' }
  await beginAndClose(c, { character_id, output }, { exchange: text, key })
  await startWithoutKeys(c, { character_id, one, other, key, recall })
  return other
}

interface Way {
  readonly key: KeyName
  readonly recall: Recall
}

/** Three starts at once with one key, then one more. What the losers are told is left open; a full workspace is waited out. */
async function race(c: Context, character_id: string, key: KeyName): Promise<void> {
  for (let pause = 500; ; pause *= 2) {
    const body = { character_id, idempotency_key: c.id('volley') }
    await roomFor(c, key, 3)
    const answers = await volley(c, body, key)
    const won = answers.find(({ ok }) => ok)
    if (won === undefined && answers.some(({ code }) => code === 30006) && pause <= 8_000) {
      await c.wait(pause, 'quota')
      continue
    }
    const last = c.exchange()
    // At the concurrency limit a repeated start may be told so.
    const room = { given: [different(answer(last, '/code'), value(30006))], given_code: 'model_choice' } as const
    c.claim(`${part}.concurrent-one-session`, accepted(last), room)
    const same = won === undefined ? undefined : equals(sessionIn(won.exchange), sessionIn(last))
    if (same !== undefined) c.claim(`${part}.concurrent-one-session`, same, room)
    const came = await c.call(start, { exchange: last, key, body })
    const sessions = new Map(
      [...answers, came].flatMap((one) => (one.ok ? [[c.adopt(one, key).id, one] as const] : [])),
    )
    for (const one of sessions.values()) await c.close(c.adopt(one, key))
    return
  }
}

const sessionIn = (exchange: number): Operand => answer(exchange, '/data/session_id')

function volley(c: Context, body: JsonObject, key: KeyName): Promise<readonly Exchange[]> {
  const numbers = [c.exchange(), c.exchange(), c.exchange()]
  const [one = 0, two = 0, three = 0] = numbers
  for (const [left, right] of [
    [one, two],
    [one, three],
    [two, three],
  ] as const) {
    c.claim(`${part}.concurrent-one-session`, equals(sessionIn(left), sessionIn(right)), {
      given: [accepted(left), accepted(right)],
      given_code: 'model_choice',
    })
  }
  return Promise.all(numbers.map((exchange) => c.call(start, { exchange, key, body, retry: 'never' })))
}

interface Ground {
  readonly plain: number
  readonly key: KeyName
}

interface Named {
  /** The avatar by whose id the sessions of the character can be told. */
  readonly third: string
}

/** Refused, or not shown. */
function withoutEffect(exchange: number, twin: number, path: string, what: string | number): Condition {
  return any(rejected(exchange, twin), different(answer(exchange, path), value(what)))
}

const smuggled = 'Speak of smuggled goods.'
/** In instructions, and in a tool, which alone a character keeps everywhere. */
const conversation: JsonObject = {
  instructions: smuggled,
  tools: [{ type: 'function', name: 'smuggle', description: smuggled }],
}
/**
 * The saved avatars, so that the active one is among them and nothing else is wrong with the start, all with other
 * instructions, and one more.
 */
function smuggledAvatars(third: string): readonly JsonObject[] {
  return [ada, bea, third, 'zoe'].map((avatar_id) => ({ avatar_id, instructions: smuggled }))
}

/** `avatars` "must not be sent", the others "cannot be overridden here": refused or without effect. */
async function smuggle(c: Context, character_id: string, { plain, key, third }: Ground & Named): Promise<void> {
  const [avatars, rest, timers] = [c.exchange(), c.exchange(), c.exchange()]
  const none = (exchange: number, path: string, what: string | number) => withoutEffect(exchange, plain, path, what)
  for (const word of ['zoe', smuggled])
    c.claim(`${part}.avatars-without-effect`, none(avatars, '/data/avatars/**', word))
  const replacing = await beginInVain(c, { character_id, avatars: smuggledAvatars(third) }, { exchange: avatars, key })
  if (!replacing.ok) {
    // Where they would join the saved ones, only the new one is no duplicate.
    const alone = c.exchange()
    c.claim(`${part}.avatars-without-effect`, none(alone, '/data/avatars/**', 'zoe'))
    await beginInVain(c, { character_id, avatars: [{ avatar_id: 'zoe' }] }, { exchange: alone, key })
  }
  const auto_close = { disconnected_timeout_seconds: 77, interaction_idle_timeout_seconds: 88 }
  const kept = (exchange: number) =>
    all(none(exchange, '/data/auto_close/**', 77), none(exchange, '/data/auto_close/**', 88))
  c.claim(`${part}.conversation-without-effect`, none(rest, '/data/conversation/**', smuggled))
  c.claim(`${part}.auto-close-without-effect`, kept(rest))
  const came = await beginInVain(c, { character_id, conversation, auto_close }, { exchange: rest, key })
  if (came.ok) return
  // Refused for either: what the other one would do is not known yet.
  c.claim(`${part}.auto-close-without-effect`, kept(timers))
  await beginInVain(c, { character_id, auto_close }, { exchange: timers, key })
}

/**
 * "A nonzero `auto_close` timeout cannot exceed the effective maximum session duration." Then one without timers, and
 * without a conversation that one in a start might give way to.
 */
async function tooShort(c: Context, character_id: string, key: KeyName): Promise<void> {
  const [four, short] = [c.exchange(), c.exchange()]
  const idle = answer(short, '/data/auto_close/interaction_idle_timeout_seconds')
  const within = Array.from({ length: 201 }, (_, seconds) => seconds)
  c.claim(`${part}.max-duration-below-auto-close`, any(rejected(short, four), equals(idle, oneOf(...within))))
  await beginInVain(c, { character_id, max_duration_seconds: 200 }, { exchange: short, key })
  // Without a word of the other one, which is off then, too.
  const timersOff = { disconnected_timeout_seconds: 0 }
  const plainer = { ...without(base(c, 'timers-off'), 'conversation'), auto_close: timersOff }
  await replace(c, character_id, plainer, { key })
  c.claim(`${part}.max-duration-four-accepted`, accepted(four))
  await beginAndClose(c, { character_id, max_duration_seconds: 4 }, { exchange: four, key })
  await bring(c, character_id, { plain: four, key })
  for (const { body, ...refusal } of tooShortRefusals) {
    await refuseStart(c, { ...refusal, twin: four }, { character_id, ...body }, key)
  }
}

/** A conversation and a timeout that the character lacks: at once, and each alone where that is refused. */
async function bring(c: Context, character_id: string, { plain, key }: Ground): Promise<void> {
  const auto_close = { interaction_idle_timeout_seconds: 88 }
  const send = (body: JsonObject) => {
    const exchange = c.exchange()
    const none = (path: string, what: string | number) => withoutEffect(exchange, plain, path, what)
    if ('conversation' in body) c.claim(`${part}.conversation-without-effect`, none('/data/conversation/**', smuggled))
    if ('auto_close' in body) c.claim(`${part}.auto-close-without-effect`, none('/data/auto_close/**', 88))
    return beginInVain(c, { character_id, ...body }, { exchange, key })
  }
  const came = await send({ conversation, auto_close })
  if (came.ok) return
  for (const body of [{ conversation }, { auto_close }]) await send(body)
}

/** `model` is "required to start a session"; a character without one may be stored or refused. */
async function withoutModel(c: Context, character_id: string, key: KeyName): Promise<void> {
  const [stored, refused, supplied] = [c.exchange(), c.exchange(), c.exchange()]
  const choice = { given: [accepted(stored)], given_code: 'model_choice' } as const
  c.claim(`${part}.model-supplied`, accepted(supplied), choice)
  c.claim(`${part}.model-missing-refused`, rejected(refused, supplied), choice)
  const saving = await replace(c, character_id, without(base(c, 'without-model'), 'model'), { exchange: stored, key })
  if (!saving.ok) return
  await get(c, character_id, { key })
  const session = await tryBegin(c, { character_id, model: 'svc-a1-stream' }, { exchange: supplied, key })
  if (session !== undefined) await c.close(session)
  await beginInVain(c, { character_id }, { exchange: refused, key })
}
