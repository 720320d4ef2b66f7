import { waitForRateBudget } from '#scenario/author/rate-budget'
import { pickKey } from '#scenario/author/pick-key'
import type { Exchange, Recall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import {
  acceptance,
  type Expectation,
  outcome,
  rejection,
  rowsOfRefusals,
  type Terms,
} from '#scenario/author/expectation'
import { isFull } from '#scenario/author/retry-transient'
import { optionalRefusals, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import type { Operand } from '#trace/claim'
import { accepted, all, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { beginAndClose, beginInVain, get, mustSave, needsCharacters, replace } from '../acts.ts'
import { ada, bea, lookUp, pairCharacter, without } from '../bodies.ts'
import { startWithoutKeys } from './without-key.ts'

const part = 'characters.session'
const start = 'create-session-from-character'

const refusals = [
  {
    rows: `${part}.model-override-unknown-rejected`,
    coded: 'characters.code-30004.start-model-unsupported',
    codes: [30004],
    body: { model: 'svc-a1-stream-pro' },
  },
  { rows: `${part}.recording-unknown-rejected`, body: { recording_mode: 'sometimes' } },
] as const

/** Sent to a character without timers, which would be longer than these. */
const tooShortRefusals = [
  {
    rows: `${part}.max-duration-three-rejected`,
    coded: 'characters.code-30004.start-duration-unsupported',
    codes: [30004],
    body: { max_duration_seconds: 3 },
  },
  { rows: `${part}.max-duration-zero-rejected`, body: { max_duration_seconds: 0 } },
] as const

const saved = {
  '/data/model': 'svc-a1-stream',
  '/data/max_duration_seconds': 600,
  '/data/conversation/tools/**': 'lookUp',
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
const override = step(
  [
    startWithoutKeys,
    `${part}.recording-off-accepted`,
    `${part}.recording-on-accepted`,
    `${part}.output-ignored-in-text-chat`,
  ],
  async (c, character_id: string, { key, recall }: { readonly key: KeyName; readonly recall: Recall }) => {
    const lite: JsonObject = c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}
    const output = { aspect_ratio: '16:9', resolution: '720p' }
    const off = acceptance(`${part}.recording-off-accepted`)
    await beginAndClose(c, { character_id, recording_mode: 'off', ...lite }, { key, expect: off })
    const on = acceptance(`${part}.recording-on-accepted`)
    await beginAndClose(c, { character_id, recording_mode: 'on' }, { key, expect: on })
    const ignored = acceptance(`${part}.output-ignored-in-text-chat`)
    await beginAndClose(c, { character_id, output }, { key, expect: ignored })
    const [one, other] = [c.exchange(), c.exchange()]
    await startWithoutKeys(c, { character_id, one, other, key, recall })
    return other
  },
)

const oneSession = `${part}.concurrent-one-session`
const sessionIn = (exchange: number): Operand => answer(exchange, '/data/session_id')

const volley = step([oneSession], async (c, body: JsonObject, key: KeyName): Promise<readonly Exchange[]> => {
  const numbers = [c.exchange(), c.exchange(), c.exchange()]
  const [one = 0, two = 0, three = 0] = numbers
  for (const [left, right] of [
    [one, two],
    [one, three],
    [two, three],
  ] as const) {
    c.claim(oneSession, equals(sessionIn(left), sessionIn(right)), { onlyIf: [accepted(left), accepted(right)] })
  }
  return Promise.all(numbers.map((exchange) => c.call(start, { exchange, key, body, retry: 'never' })))
})

/** Three starts at once with one key, then one more. What the losers are told is left open; a full workspace is waited out. */
const race = step([oneSession], async (c, character_id: string, key: KeyName) => {
  for (let pause = 500; ; pause *= 2) {
    const body = { character_id, idempotency_key: c.id('volley') }
    await waitForRateBudget(c, key, 3)
    const answers = await volley(c, body, key)
    const won = answers.find(({ ok }) => ok)
    if (won === undefined && answers.some(isFull) && pause <= 8_000) {
      await c.wait(pause, 'quota')
      continue
    }
    // At the concurrency limit a repeated start may be told so.
    const room = (last: number): Terms => ({ onlyIf: [different(answer(last, '/code'), value(30006))] })
    const isSame = won && ((last: number) => equals(sessionIn(won.exchange), sessionIn(last)))
    const expect = [acceptance(oneSession, room), ...(isSame === undefined ? [] : [outcome(oneSession, isSame, room)])]
    const received = await c.call(start, { key, body, expect })
    const sessions = new Map(
      [...answers, received].flatMap((one) => (one.ok ? [[c.adopt(one, key).id, one] as const] : [])),
    )
    for (const one of sessions.values()) await c.close(c.adopt(one, key))
    return
  }
})

interface Ground {
  readonly control: number
  readonly key: KeyName
}

/** Refused, or not shown. */
function withoutEffect<const Row extends RequirementId>(
  row: Row,
  control: number,
  ...shown: readonly (readonly [path: string, what: string | number])[]
): Expectation<Row> {
  return outcome(row, (exchange) => {
    const none = shown.map(([path, what]) =>
      any(rejected(exchange, control), different(answer(exchange, `/data/${path}/**`), value(what))),
    )
    const [sole] = none
    return none.length === 1 && sole !== undefined ? sole : all(...none)
  })
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

const noAvatars = `${part}.avatars-without-effect`
const noConversation = `${part}.conversation-without-effect`
const noAutoClose = `${part}.auto-close-without-effect`

interface Named {
  /** The avatar by whose id the sessions of the character can be told. */
  readonly third: string
}

/** `avatars` "must not be sent", the others "cannot be overridden here": refused or without effect. */
const smuggle = step(
  [noAvatars, noConversation, noAutoClose],
  async (c, character_id: string, { control, key, third }: Ground & Named) => {
    const foreign = ['zoe', smuggled].map((word) => withoutEffect(noAvatars, control, ['avatars', word]))
    const avatars = smuggledAvatars(third)
    const replacing = await beginInVain(c, { character_id, avatars }, { key, expect: foreign })
    if (!replacing.ok) {
      // Where they would join the saved ones, only the new one is no duplicate.
      const expect = withoutEffect(noAvatars, control, ['avatars', 'zoe'])
      await beginInVain(c, { character_id, avatars: [{ avatar_id: 'zoe' }] }, { key, expect })
    }
    const auto_close = { disconnected_timeout_seconds: 77, interaction_idle_timeout_seconds: 88 }
    const kept = withoutEffect(noAutoClose, control, ['auto_close', 77], ['auto_close', 88])
    const silent = withoutEffect(noConversation, control, ['conversation', smuggled])
    const received = await beginInVain(c, { character_id, conversation, auto_close }, { key, expect: [silent, kept] })
    // Refused for either: what the other one would do is not known yet.
    if (!received.ok) await beginInVain(c, { character_id, auto_close }, { key, expect: kept })
  },
)

/** A conversation and a timeout that the character lacks: at once, and each alone where that is refused. */
const bring = step([noConversation, noAutoClose], async (c, character_id: string, { control, key }: Ground) => {
  const auto_close = { interaction_idle_timeout_seconds: 88 }
  const silent = withoutEffect(noConversation, control, ['conversation', smuggled])
  const untimed = withoutEffect(noAutoClose, control, ['auto_close', 88])
  const both = { character_id, conversation, auto_close }
  if ((await beginInVain(c, both, { key, expect: [silent, untimed] })).ok) return
  await beginInVain(c, { character_id, conversation }, { key, expect: silent })
  await beginInVain(c, { character_id, auto_close }, { key, expect: untimed })
})

const belowTimer = `${part}.max-duration-below-auto-close`
const four = `${part}.max-duration-four-accepted`

/**
 * "A nonzero `auto_close` timeout cannot exceed the effective maximum session duration." Then one without timers, and
 * without a conversation that one in a start might give way to.
 */
const startShort = step(
  [bring, belowTimer, four, ...rowsOfRefusals(tooShortRefusals)],
  async (c, character_id: string, key: KeyName) => {
    const control = c.exchange()
    const within = Array.from({ length: 201 }, (_, seconds) => seconds)
    const idle = (exchange: number) => answer(exchange, '/data/auto_close/interaction_idle_timeout_seconds')
    const lowered = outcome(belowTimer, (short) => any(rejected(short, control), equals(idle(short), oneOf(...within))))
    await beginInVain(c, { character_id, max_duration_seconds: 200 }, { key, expect: lowered })
    // Without a word of the other one, which is off then, too.
    const timersOff = { disconnected_timeout_seconds: 0 }
    const plainer = { ...without(base(c, 'timers-off'), 'conversation'), auto_close: timersOff }
    await replace(c, character_id, plainer, { key })
    const brief = { character_id, max_duration_seconds: 4 }
    await beginAndClose(c, brief, { exchange: control, key, expect: acceptance(four) })
    await bring(c, character_id, { control, key })
    for (const { body, ...refusal } of tooShortRefusals) {
      await beginInVain(c, { character_id, ...body }, { key, expect: rejection({ ...refusal, control }) })
    }
  },
)

const [supplied, missing] = [`${part}.model-supplied`, `${part}.model-missing-refused`] as const

/** `model` is "required to start a session"; a character without one may be stored or refused. */
const withoutModel = step([supplied, missing], async (c, character_id: string, key: KeyName) => {
  const [stored, refused, control] = [c.exchange(), c.exchange(), c.exchange()]
  const choice = { onlyIf: [accepted(stored)] }
  c.expect(acceptance(supplied, choice), control)
  c.expect(rejection({ rows: missing, control }, choice), refused)
  const saving = await replace(c, character_id, without(base(c, 'without-model'), 'model'), { exchange: stored, key })
  if (!saving.ok) return
  await get(c, character_id, { key })
  await beginAndClose(c, { character_id, model: 'svc-a1-stream' }, { exchange: control, key })
  await beginInVain(c, { character_id }, { exchange: refused, key })
})

const unmoved = `${part}.body-leaves-character`
const nameless = `${part}.character-id-missing-rejected`

/** What a start may override, must not override, and must not say. */
export const overrides = scenario({
  id: 'characters.overrides',
  needs: needsCharacters,
  steps: [override, race, smuggle, startShort, withoutModel],
  claims: [...rowsOfRefusals(refusals), nameless, unmoved],
  observes: [`${part}.model-overridden`, `${part}.overrides-not-kept`, 'characters.replace.model-gone'],
  price: { requests: { same_workspace: 65 }, typical: 39, sessions: { same_workspace: 1 } },
  optional: optionalRefusals(refusals),
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const known_by = c.id('third')
    // A key that comes with a save is not the key of any start.
    const first = { ...base(c, 'overridden', known_by), idempotency_key: c.id('save') }
    const character_id = await mustSave(c, first, { key })
    const control = await override(c, character_id, { key, recall: { known_by } })
    await race(c, character_id, key)
    await smuggle(c, character_id, { control, key, third: known_by })
    for (const { body, ...refusal } of sentOf(c, refusals)) {
      await beginInVain(c, { character_id, ...body }, { key, expect: rejection({ ...refusal, control }) })
    }
    await beginInVain(c, {}, { key, expect: rejection({ rows: nameless, control }) })
    const kept = Object.entries(saved).map(([place, wanted]) =>
      outcome(unmoved, (after) => equals(answer(after, place), value(wanted))),
    )
    const noNew = outcome(unmoved, (after) => different(answer(after, '/data/avatars/**'), value('zoe')))
    await get(c, character_id, { key, expect: [...kept, noNew] })
    await startShort(c, character_id, key)
    await withoutModel(c, character_id, key)
  },
})
