import { smallOutput } from '#scenario/author/bodies'
import { pickKey } from '#scenario/author/pick-key'
import type { Context } from '#scenario/author/context'
import { eachRowOnce } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { answer, equals, value } from '#trace/conditions'
import type { Json, JsonObject } from '#trace/json'
import { needsCharacters, needsVideo } from '../acts.ts'
import { ada, bea, lookUp, pairCharacter, sourceImage, videoCharacter, without } from '../bodies.ts'
import { type LateFault, refuseLate, setUp, validated } from './late.ts'

const put = (members: JsonObject) => (body: JsonObject) => ({ ...body, ...members })
const row = <Name extends string>(name: Name) => `characters.create.${name}-refused` as const

const named = (name: string): JsonObject => ({ ...lookUp, name })

/** With all that a fault is put into. */
function talkative(c: Context): JsonObject {
  const conversation = { tools: [lookUp, named('turn_page'), named('ring')], response_defaults: { temperature: 2 } }
  return { ...pairCharacter(c, 'late'), conversation }
}

const conversing = (members: JsonObject) => (body: JsonObject) => ({
  ...body,
  conversation: { ...(body['conversation'] as JsonObject), ...members },
})

/** Complete for either mode, so that only the mode is at fault. */
const otherMode = (c: Context): JsonObject => ({
  session: { mode: 'audio_chat', active_avatar_id: ada },
  output: smallOutput(c.profile),
  avatars: [{ avatar_id: ada, visual: { source_images: [sourceImage(c.profile, 'face')] } }],
})

/** In video the body with another mode differs from the accepted one by nothing else. */
const hasVideo = (c: Context): boolean => c.offers('video') && c.profile.media?.image_url !== undefined

/** `response_defaults` may be left out of a character. */
const keepsDefaults = (saved: number) =>
  equals(answer(saved, '/data/conversation/response_defaults/temperature'), value(2))

type TextRow = `characters.create.${(typeof textRows)[number]}-refused`

function textFaults(c: Context): readonly LateFault<TextRow>[] {
  const warm = row('temperature-out-of-range')
  return [
    { row: row('model-unknown'), change: put({ model: 'svc-a1-stream-pro' }), again: true },
    ...(hasVideo(c) ? [] : [{ row: row('mode-unknown'), change: put(otherMode(c)) }]),
    { row: row('active-avatar-ambiguous'), change: put({ session: { mode: 'text_chat' } }), again: true },
    {
      // In the midst of the tools.
      row: row('tool-name-missing'),
      change: conversing({ tools: [lookUp, without(lookUp, 'name'), named('ring')] }),
      again: true,
    },
    { row: warm, change: conversing({ response_defaults: { temperature: 2.1 } }), kept: keepsDefaults, again: true },
    { row: warm, change: conversing({ response_defaults: { temperature: -0.1 } }), kept: keepsDefaults, again: true },
  ]
}

/** The body with another session. */
const inSession = (members: JsonObject) => (body: JsonObject) => ({
  ...body,
  session: { ...(body['session'] as JsonObject), ...members },
})

/** The body with another visual of one of its avatars. */
const seen = (avatar_id: string, change: (visual: JsonObject) => JsonObject) => (body: JsonObject) => ({
  ...body,
  avatars: (body['avatars'] as readonly JsonObject[]).map((avatar) =>
    avatar['avatar_id'] === avatar_id ? { ...avatar, visual: change(avatar['visual'] as JsonObject) } : avatar,
  ),
})

/** The body with another last image of the avatar that is not the active one. */
const lastImage = (members: JsonObject) =>
  seen(bea, (visual) => {
    const images = visual['source_images'] as readonly JsonObject[]
    const changed: readonly Json[] = [...images.slice(0, -1), { ...images.at(-1), ...members }]
    return { ...visual, source_images: changed }
  })

const unresolvable = (body: JsonObject): JsonObject => {
  const session = without(body['session'] as JsonObject, 'source_image_id')
  return seen(ada, (visual) => without(visual, 'default_source_image_id'))({ ...body, session })
}

const videoFaults = [
  { row: row('mode-unknown'), change: inSession({ mode: 'audio_chat' }), again: true },
  {
    row: row('resolution-unknown'),
    change: put({ output: { aspect_ratio: '9:16', resolution: '1080p' } }),
    again: true,
  },
  { row: row('source-image-unresolvable'), change: unresolvable, again: true },
  { row: row('source-image-unknown'), change: inSession({ source_image_id: 'nowhere' }), again: true },
  { row: row('source-image-id-duplicate'), change: lastImage({ source_image_id: 'plain' }), again: true },
  { row: row('media-type-not-image'), change: lastImage({ media_type: 'video/mp4' }), again: true },
] as const satisfies readonly LateFault[]

const textRows = [
  'model-unknown',
  'mode-unknown',
  'active-avatar-ambiguous',
  'tool-name-missing',
  'temperature-out-of-range',
] as const

/** Each fault is one save, and one replace where that is refused. */
const eachFault = (rows: readonly LateFault['row'][]) =>
  eachRowOnce(
    [...Map.groupBy(rows, (one) => one)].map(([id, faults]) => ({
      id,
      rows: [id, validated],
      requests: 2 * faults.length,
    })),
  )

/** Only sent where there is no video. */
const rare = row('mode-unknown')
/** Of this one there are two. */
const twice = row('temperature-out-of-range')

/** What Create Session refuses in `text_chat` gets through by no character either. */
export const lateText = scenario({
  id: 'characters.late-refusals',
  needs: needsCharacters,
  claims: [...textRows.map(row), validated],
  price: { requests: { other_workspace: 25 }, typical: 13, sessions: { other_workspace: 1 } },
  optional: eachFault([...textRows.map(row).filter((one) => one !== rare), twice]),
  async drive(c) {
    const bench = await setUp(c, talkative(c), pickKey(c, 'other_workspace'))
    for (const fault of textFaults(c)) {
      if (c.takes(fault.row)) await refuseLate(c, bench, fault.change(bench.taken(talkative(c))), fault)
    }
  },
})

export const lateVideo = scenario({
  id: 'characters.late-refusals-in-video',
  needs: needsVideo,
  claims: [...videoFaults.map((fault) => fault.row), validated],
  price: { requests: { other_workspace: 24 }, typical: 15, sessions: { other_workspace: 1 } },
  optional: eachFault(videoFaults.map((fault) => fault.row)),
  async drive(c) {
    const bench = await setUp(c, videoCharacter(c, 'late'), pickKey(c, 'other_workspace'))
    for (const fault of videoFaults) {
      if (c.takes(fault.row)) await refuseLate(c, bench, fault.change(bench.taken(videoCharacter(c, 'late'))), fault)
    }
  },
})
