import { countsOnVideo } from '#scenario/author/bodies'
import { pickKey } from '#scenario/author/pick-key'
import type { Recall } from '#client/types'
import type { KeyName, Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import {
  acceptance,
  type Expectation,
  outcome,
  rejection,
  rowsOfRefusals,
  unlessUnsupported,
} from '#scenario/author/expectation'
import { eachRowOnce, type Optional, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import { accepted, all, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { beginAndClose, beginInVain, get, list, mustSave, needsCharacters, replace } from '../acts.ts'
import { ada, bea, lookUp, pairCharacter, sourceImage, without } from '../bodies.ts'
import { race } from './race.ts'
import { startWithoutKeys } from './without-key.ts'

const part = 'characters.session'

const refusals = [
  {
    rows: `${part}.model-override-unknown-rejected`,
    coded: 'characters.code-30004.start-model-unsupported',
    // No key was granted a model that there is none of.
    codes: [30004, 10009],
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

/** No longer than a minute: the longest that a session may last is not shown (section 8). */
const saved = {
  '/data/model': 'svc-a1-stream',
  '/data/max_duration_seconds': 60,
  '/data/conversation/tools/**': 'lookUp',
  '/data/avatars/**': 'bea',
  '/data/auto_close/interaction_idle_timeout_seconds': 50,
} as const

/** What an avatar would be shown by in video: in `text_chat` no image is named (4.1). */
const picture = (profile: Profile): JsonObject =>
  countsOnVideo(profile)
    ? { visual: { source_images: [sourceImage(profile, 'face')], default_source_image_id: 'face' } }
    : {}

/** With a third avatar, by whose id its sessions can be told from all others. */
function base(c: Context, word: string, third = c.id('third')): JsonObject {
  const pair = pairCharacter(c, word)
  const avatars = (pair['avatars'] as readonly JsonObject[]).map((avatar) => ({ ...avatar, ...picture(c.profile) }))
  return {
    ...pair,
    avatars: [...avatars, { avatar_id: third }],
    conversation: { tools: [lookUp] },
    max_duration_seconds: 60,
    auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 50 },
  }
}

const off = `${part}.recording-off-accepted`
const on = `${part}.recording-on-accepted`
const ignored = `${part}.output-ignored-in-text-chat`
const unused = `${part}.delivery-unused-in-text-chat`

/** Neither is of any use in `text_chat`: both at once, and the output alone where that is refused. */
const useless = step([ignored, unused], async (c, character_id: string, key: KeyName) => {
  const [both, alone] = [c.exchange(), c.exchange()]
  const output = { aspect_ratio: '16:9', resolution: '720p' }
  const isTaken = any(accepted(both), accepted(alone))
  c.claim(ignored, isTaken)
  c.claim(unused, accepted(both), { given: [isTaken] })
  const delivery = { media: { transport: 'rtc_a' } }
  if (await beginAndClose(c, { character_id, output, delivery }, { exchange: both, key })) return
  await beginAndClose(c, { character_id, output }, { exchange: alone, key })
})

/** @returns the last of two starts without a key, which are the same but for nothing */
const override = step(
  [startWithoutKeys, useless, off, on],
  async (c, character_id: string, { key, recall }: { readonly key: KeyName; readonly recall: Recall }) => {
    const lite: JsonObject = c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}
    for (const [row, body] of [
      [off, { recording_mode: 'off', ...lite }],
      // Shorter than what is saved: a Get tells later that it was for this session alone.
      [on, { recording_mode: 'on', max_duration_seconds: 55, ...lite }],
    ] as const) {
      if (!c.takes(row)) continue
      const exchange = c.exchange()
      // Where nothing is recorded, that may be told.
      const terms = row === on ? { onlyIf: [unlessUnsupported(exchange)] } : {}
      await beginAndClose(c, { character_id, ...body }, { exchange, key, expect: acceptance(row, terms) })
    }
    if (c.takes(ignored)) await useless(c, character_id, key)
    const [one, other] = [c.exchange(), c.exchange()]
    if (c.takes('without-keys')) await startWithoutKeys(c, { character_id, one, other, key, recall })
    return other
  },
)

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
    const auto_close = { disconnected_timeout_seconds: 37, interaction_idle_timeout_seconds: 43 }
    const kept = withoutEffect(noAutoClose, control, ['auto_close', 37], ['auto_close', 43])
    const silent = withoutEffect(noConversation, control, ['conversation', smuggled])
    const received = await beginInVain(c, { character_id, conversation, auto_close }, { key, expect: [silent, kept] })
    // Refused for either: what the other one would do is not known yet.
    if (!received.ok) await beginInVain(c, { character_id, auto_close }, { key, expect: kept })
  },
)

/** A conversation and a timeout that the character lacks: at once, and each alone where that is refused. */
const bring = step([noConversation, noAutoClose], async (c, character_id: string, { control, key }: Ground) => {
  const auto_close = { interaction_idle_timeout_seconds: 43 }
  const silent = withoutEffect(noConversation, control, ['conversation', smuggled])
  const untimed = withoutEffect(noAutoClose, control, ['auto_close', 43])
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
    const within = Array.from({ length: 46 }, (_, seconds) => seconds)
    const idle = (exchange: number) => answer(exchange, '/data/auto_close/interaction_idle_timeout_seconds')
    const lowered = outcome(belowTimer, (short) => any(rejected(short, control), equals(idle(short), oneOf(...within))))
    await beginInVain(c, { character_id, max_duration_seconds: 45 }, { key, expect: lowered })
    // Without a word of the other one, which is off then, too.
    const timersOff = { disconnected_timeout_seconds: 0 }
    const plainer = { ...without(base(c, 'timers-off'), 'conversation'), auto_close: timersOff }
    await replace(c, character_id, plainer, { key })
    const brief = { character_id, max_duration_seconds: 4 }
    await beginAndClose(c, brief, { exchange: control, key, expect: acceptance(four) })
    if (c.takes('brought')) await bring(c, character_id, { control, key })
    for (const { body, ...refusal } of sentOf(c, tooShortRefusals)) {
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
  // It is as much a character as others are.
  await list(c, key, (shown) => shown.has(character_id))
  await beginAndClose(c, { character_id, model: 'svc-a1-stream' }, { exchange: control, key })
  await beginInVain(c, { character_id }, { exchange: refused, key })
})

const unmoved = `${part}.body-leaves-character`
const nameless = `${part}.character-id-missing-rejected`

/** What starts said has left no trace in the character. */
const lookUnmoved = step([unmoved], async (c, character_id: string, key: KeyName) => {
  const kept = Object.entries(saved).map(([place, wanted]) =>
    outcome(unmoved, (after) => equals(answer(after, place), value(wanted))),
  )
  const noNew = outcome(unmoved, (after) => different(answer(after, '/data/avatars/**'), value('zoe')))
  await get(c, character_id, { key, expect: [...kept, noNew] })
})

const shown = 'characters.list.shows-all'
const notKept = `${part}.overrides-not-kept`
const plain = ['without-keys']

/** What is left of it without all of these: a character that is saved and deleted. */
const optional: readonly Optional[] = eachRowOnce([
  { id: off, rows: [off, `${part}.model-overridden`], also: [notKept], requests: 2 },
  { id: on, rows: [on], also: [notKept, `${part}.model-overridden`], requests: 2 },
  { id: ignored, rows: [ignored, unused], also: [notKept], requests: 2 },
  { id: 'without-keys', rows: startWithoutKeys.claims, also: [notKept], requests: 5 },
  { id: 'raced', rows: race.claims, requests: 5 },
  { id: 'smuggled', rows: [...smuggle.claims, unmoved], requests: 5, needs: plain },
  ...refusalsNeeding(() => plain, refusals),
  { id: nameless, rows: [nameless], requests: 1, needs: plain },
  { id: 'short', rows: [belowTimer, four, notKept], requests: 4 },
  { id: 'brought', rows: bring.claims, requests: 2, needs: ['short'] },
  ...refusalsNeeding(() => ['short'], tooShortRefusals),
  {
    id: 'no-model',
    rows: [supplied, missing, 'characters.replace.model-gone', 'characters.replace.returns-written'],
    also: [shown],
    requests: 6,
  },
])

/** What a start may override, must not override, and must not say. */
export const overrides = scenario({
  id: 'characters.overrides',
  needs: needsCharacters,
  steps: [override, race, smuggle, lookUnmoved, startShort, withoutModel],
  claims: [...rowsOfRefusals(refusals), nameless],
  observes: [`${part}.model-overridden`, notKept, 'characters.replace.model-gone', shown],
  price: { requests: { same_workspace: 67 }, typical: 40, sessions: { same_workspace: 1 } },
  optional,
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const known_by = c.id('third')
    // A key that comes with a save is not the key of any start.
    const first = { ...base(c, 'overridden', known_by), idempotency_key: c.id('save') }
    const character_id = await mustSave(c, first, { key })
    const control = await override(c, character_id, { key, recall: { known_by } })
    if (c.takes('raced')) await race(c, character_id, key)
    if (c.takes('smuggled')) await smuggle(c, character_id, { control, key, third: known_by })
    for (const { body, ...refusal } of sentOf(c, refusals)) {
      await beginInVain(c, { character_id, ...body }, { key, expect: rejection({ ...refusal, control }) })
    }
    if (c.takes(nameless)) await beginInVain(c, {}, { key, expect: rejection({ rows: nameless, control }) })
    if (c.takes('smuggled')) await lookUnmoved(c, character_id, key)
    if (c.takes('short')) await startShort(c, character_id, key)
    if (c.takes('no-model')) await withoutModel(c, character_id, key)
  },
})
