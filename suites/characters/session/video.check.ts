import { smallOutput } from '#scenario/author/bodies'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { acceptance, rejection } from '#scenario/author/expectation'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { beginAndClose, beginInVain, get, list, mustSave, needsVideo, replace, save, send, tryBegin } from '../acts.ts'
import { ada, bea, lookUp, sourceImage, textCharacter, videoCharacter, without } from '../bodies.ts'
import { seenInVideo } from '../observed.ts'
import { speak } from './channel-acts.ts'
import {
  beginWith,
  beginWithBoth,
  bothOver,
  largeOutput,
  over,
  shownByRatio,
  shownByResolution,
} from './output-starts.ts'
import { retried } from './start-twice.ts'

const key = 'primary'

/** Neither mode nor avatar nor image by name: one avatar, two images and a default. */
function soleCharacter(c: Context, word: string): JsonObject {
  const images = [sourceImage(c.profile, 'near'), sourceImage(c.profile, 'far')]
  return {
    name: c.id(word),
    model: 'svc-a1-stream',
    output: smallOutput(c.profile),
    avatars: [{ avatar_id: bea, visual: { source_images: images, default_source_image_id: 'far' } }],
  }
}

const speaks = 'characters.session.control-speaks'
const renders = 'control-channel.render-started.for-speech'

interface MergedStarts {
  /** The last start. */
  readonly plain: number
  /** Whether the model has the large output. */
  readonly large: boolean
}

/** "`output` and `delivery` are shallow-merged over the saved top-level objects" (4.1). */
const mergeOutput = step([beginWith, beginWithBoth, speaks], async (c, character_id: string): Promise<MergedStarts> => {
  const saved = smallOutput(c.profile)
  if (c.takes('resolution')) await beginWith(c, { character_id, part: { resolution: '720p' }, saved })
  if (c.takes('ratio')) await beginWith(c, { character_id, part: { aspect_ratio: '1:1' }, saved })
  const large = c.takes('both') && (await beginWithBoth(c, character_id))
  const plain = c.exchange()
  if (!c.takes('plain')) return { plain, large }
  const session = await tryBegin(c, { character_id }, { exchange: plain })
  if (session === undefined) return { plain, large }
  // It speaks and renders like any other.
  const channel = await c.open(session)
  if (channel.state === 'open') await speak(c, channel, { rows: speaks })
  await c.close(session)
  return { plain, large }
})

const codes = [20014]

/** `output` is required for `video_avatar`, by name and by default. */
const refuseCreates = step(
  [
    'characters.create.output-missing-rejected',
    'characters.code-20014.create-output-missing',
    'characters.create.output-missing-mode-omitted-rejected',
    'characters.create.output-missing-default-mode-rejected',
    'characters.code-20014.create-output-missing-default-mode',
  ],
  async (c, control: number) => {
    const whole = (word: string) => without(videoCharacter(c, word), 'output')
    const named = rejection({
      rows: 'characters.create.output-missing-rejected',
      coded: 'characters.code-20014.create-output-missing',
      codes,
      control,
    })
    if (c.takes('no-output')) await send(c, 'create-character', { body: whole('no-output'), expect: named })
    const omitted = rejection({ rows: 'characters.create.output-missing-mode-omitted-rejected', control })
    const passive = { ...whole('no-mode'), session: { active_avatar_id: ada } }
    if (c.takes('no-mode')) await send(c, 'create-character', { body: passive, expect: omitted })
    const byDefault = rejection({
      rows: 'characters.create.output-missing-default-mode-rejected',
      coded: 'characters.code-20014.create-output-missing-default-mode',
      codes,
      control,
    })
    const sole = without(soleCharacter(c, 'no-session'), 'output')
    if (c.takes('no-session')) await send(c, 'create-character', { body: sole, expect: byDefault })
  },
)

const taken = 'characters.replace.accepted'
const defaultMode = 'characters.create.default-mode-video-accepted'
const emptyKeeps = 'characters.session.output-empty-keeps'

/**
 * Saves the large output, where the model has it: whoever puts defaults in the place of the saved one shows it by the one or
 * the other, whatever the defaults are.
 *
 * @returns the replace, where there is one
 */
const saveByDefault = step(
  [taken, defaultMode, emptyKeeps, beginWith],
  async (c, character_id: string, large: boolean): Promise<number | undefined> => {
    if (c.takes('default')) await save(c, soleCharacter(c, 'by-default'), { expect: acceptance(defaultMode) })
    if (!c.takes('replaced')) return undefined
    const saved = large ? largeOutput : smallOutput(c.profile)
    const body = { ...soleCharacter(c, 'by-default'), output: saved }
    const { exchange } = await replace(c, character_id, body, { expect: acceptance(taken) })
    const [empty, plain] = [c.exchange(), c.exchange()]
    if (!(await beginAndClose(c, { character_id, output: {} }, { exchange: empty }))) {
      c.expect(acceptance(emptyKeeps, { onlyIf: [accepted(plain)] }), empty)
      await beginAndClose(c, { character_id }, { exchange: plain })
    }
    if (large && c.takes('ratio-replaced')) await beginWith(c, { character_id, part: { aspect_ratio: '9:16' }, saved })
    return exchange
  },
)

const refuseNamed = step(
  ['characters.replace.output-missing-rejected', 'characters.code-20014.replace-output-missing'],
  async (c, character_id: string, control: number) => {
    const named = { ...soleCharacter(c, 'no-output'), session: { mode: 'video_avatar' } }
    const expect = rejection({
      rows: 'characters.replace.output-missing-rejected',
      coded: 'characters.code-20014.replace-output-missing',
      codes,
      control,
    })
    await replace(c, character_id, without(named, 'output'), { expect })
  },
)

/**
 * Of a `text_chat` character, whose mode is no more than another thing that a replace omits: without a session, and with
 * one that names no mode.
 */
const refuseDefault = step(
  [
    'characters.replace.output-missing-default-mode-rejected',
    'characters.code-20014.replace-output-missing-default-mode',
  ],
  async (c, character_id: string, control: number) => {
    const expect = rejection({
      rows: 'characters.replace.output-missing-default-mode-rejected',
      coded: 'characters.code-20014.replace-output-missing-default-mode',
      codes,
      control,
    })
    const body = without(soleCharacter(c, 'no-mode'), 'output')
    await replace(c, character_id, body, { expect })
    await replace(c, character_id, { ...body, session: { active_avatar_id: bea } }, { expect })
  },
)

const refusedRows = [
  'characters.create.refused-leaves-no-character',
  'characters.replace.refused-changes-nothing',
] as const satisfies readonly RequirementId[]

const unsupported = {
  rows: 'characters.session.output-unsupported-rejected',
  coded: 'characters.code-30004.start-output-unsupported',
  codes: [30004],
} as const

const seenOverTransports = [
  'characters.session.transport-overridden',
  'characters.session.transport-override-replaces-saved',
  'characters.session.delivery-saved',
] as const satisfies readonly RequirementId[]

const seenAfterReplace = [
  'characters.replace.omitted-gone-from-sessions',
  'characters.replace.avatar-members-gone',
] as const satisfies readonly RequirementId[]

const [notKept, keeps] = ['characters.session.overrides-not-kept', 'characters.session.output-empty-keeps'] as const
const merged: ReadonlySet<RequirementId> = new Set([...shownByRatio, ...shownByResolution, bothOver, notKept, keeps])

/** Rows of what is saved, and of each start, whatever it overrides. */
const configured = seenInVideo.filter((row) => !row.startsWith('characters.session.'))
const started = seenInVideo.filter((row) => !merged.has(row) && row.startsWith('characters.session.'))
const [noMode, named, byDefault, byName] = [
  'characters.create.output-missing-mode-omitted-rejected',
  'characters.create.output-missing-rejected',
  'characters.create.output-missing-default-mode-rejected',
  'characters.replace.output-missing-rejected',
] as const

/** What is left of it without all of these: a character that is saved and deleted. */
const optional: readonly Optional[] = eachRowOnce([
  { id: 'resolution', rows: shownByResolution, also: [notKept], requests: 2 },
  { id: 'ratio', rows: shownByRatio, also: [notKept], requests: 2 },
  { id: 'both', rows: [bothOver], also: [...seenOverTransports, retried, notKept], requests: 3 },
  { id: 'plain', rows: [...started, ...seenOverTransports], also: [speaks, renders, notKept], requests: 2 },
  // An override is kept by mistake only where there was one.
  { id: 'kept', rows: [notKept], requests: 0, needs: ['both', 'plain'] },
  { id: 'no-output', rows: [named, 'characters.code-20014.create-output-missing'], requests: 1 },
  { id: 'no-mode', rows: [noMode], requests: 1 },
  { id: 'no-session', rows: [byDefault, 'characters.code-20014.create-output-missing-default-mode'], requests: 1 },
  { id: 'default', rows: [defaultMode], also: configured, requests: 2 },
  {
    id: 'replaced',
    rows: [taken, keeps, ...seenAfterReplace],
    also: [...configured, ...started, notKept],
    requests: 3,
  },
  // Once more, where the replaced one is of another size.
  { id: 'ratio-replaced', rows: [], also: shownByRatio, requests: 2, needs: ['ratio', 'both', 'replaced'] },
  { id: 'unsupported', rows: [unsupported.rows, unsupported.coded], requests: 1, needs: ['plain'] },
  {
    id: 'replace-named',
    rows: [byName, 'characters.code-20014.replace-output-missing'],
    requests: 1,
    needs: ['replaced'],
  },
  { id: 'shown', rows: ['characters.list.item-resolution'], also: [...configured, notKept], requests: 2 },
  {
    id: 'as-text',
    rows: ['characters.replace.output-gone', ...refuseDefault.claims],
    also: [taken],
    requests: 4,
    needs: ['replaced'],
  },
  { id: 'refused', rows: refusedRows, requests: 0, needs: ['no-output', 'replace-named', 'shown'] },
])

/** A character for video: what it must have, and how `output` is merged into its sessions. */
export const video = scenario({
  id: 'characters.video',
  needs: needsVideo,
  steps: [mergeOutput, refuseCreates, saveByDefault, refuseNamed, refuseDefault],
  claims: ['characters.create.video-accepted', unsupported.rows, unsupported.coded],
  observes: [retried, ...seenInVideo, renders, ...seenOverTransports, ...seenAfterReplace, ...refusedRows],
  price: { requests: { primary: 38 }, typical: 29, sessions: { primary: 1 } },
  optional,
  async drive(c) {
    const created = c.expect(acceptance('characters.create.video-accepted'))
    // What is kept of a character in text is kept of one in video, and one timeout without the other.
    const more = { conversation: { tools: [lookUp] }, auto_close: { interaction_idle_timeout_seconds: 50 } }
    const whole = { ...videoCharacter(c, 'video'), ...over(c, 'rtc_b'), ...more }
    const character_id = await mustSave(c, whole, { exchange: created })
    const { plain, large } = await mergeOutput(c, character_id)
    await refuseCreates(c, created)
    const replaced = await saveByDefault(c, character_id, large)
    if (c.takes('unsupported')) {
      const expect = rejection({ ...unsupported, control: plain })
      await beginInVain(c, { character_id, output: { resolution: '1080p' } }, { key, expect })
    }
    if (replaced !== undefined && c.takes('replace-named')) await refuseNamed(c, character_id, replaced)
    const isNew = (item: Json | undefined) => !large || replaced === undefined || at(item, '/resolution') === '720p'
    if (c.takes('shown')) {
      await list(c, key, (shown) => isNew(shown.get(character_id)))
      await get(c, character_id)
    }
    if (replaced === undefined || !c.takes('as-text')) return
    // The same avatar, without its visual.
    const text = { ...textCharacter(c, 'without-video'), avatars: [{ avatar_id: bea }] }
    await replace(c, character_id, text, { expect: acceptance(taken) })
    await refuseDefault(c, character_id, replaced)
    await get(c, character_id)
  },
})
