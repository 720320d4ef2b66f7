import type { RequirementId } from '#spec/register'
import { carries, isAddress, isOfKind, withoutFragment } from '#judge/conditions/operands'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { equal } from '#trace/match'
import { avatarsOf } from './model.ts'

/** What was sent and what came back for it; one comparison of one row. */
export interface Echo {
  readonly row: RequirementId
  /** Place in the answer's data. */
  readonly place: string
  readonly sent: Json
  readonly shown: Json | undefined
  readonly holds: boolean
}

/** Whether what is shown may be in force where the other was asked for. */
type Fits = (shown: Json, sent: Json) => boolean
type EchoRow = readonly [row: RequirementId, place: string, fits?: Fits]

/** What a model does not have is off, and said to be so; nothing is on that was to be off. */
const orElse =
  (off: Json): Fits =>
  (shown, sent) =>
    shown === sent || shown === off
/** Numbers may be spelt as text (Conventions). */
const orLower: Fits = (shown, sent) => equal(shown, sent) || (Number(shown) > 0 && Number(shown) < Number(sent))
const isText: Fits = (shown) => typeof shown === 'string' && shown !== ''

/** "Effective conversation defaults" (2.1): instructions and tools as they were sent, settings as they are in force. */
const conversationRows: readonly EchoRow[] = [
  ['avatar-sessions.conversation.instructions-echoed', '/conversation/instructions'],
  ['avatar-sessions.conversation.tools-echoed', '/conversation/tools'],
  ['avatar-sessions.conversation.temperature-echoed', '/conversation/response_defaults/temperature'],
  [
    'avatar-sessions.conversation.max-output-tokens-echoed',
    '/conversation/response_defaults/max_output_tokens',
    orLower,
  ],
  ['avatar-sessions.conversation.turn-detection-echoed', '/conversation/turn_detection/type', orElse('manual')],
  [
    'avatar-sessions.conversation.transcription-enabled-echoed',
    '/conversation/input_audio_transcription/enabled',
    orElse(false),
  ],
  [
    'avatar-sessions.conversation.transcription-language-echoed',
    '/conversation/input_audio_transcription/language',
    isText,
  ],
]

const assetRows: readonly EchoRow[] = [
  ['avatar-sessions.assets.audio-echoed', '/assets/audio'],
  ['avatar-sessions.assets.speech-text-echoed', '/assets/speech_text'],
  ['avatar-sessions.assets.visual-prompts-echoed', '/assets/visual_prompts'],
]

/** "same structure as the request field" (2.1): conversation and, where they are returned, assets carry what was sent. */
export function plainEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  const rows = [
    ...(isObject(data['conversation']) ? conversationRows : []),
    ...(isObject(data['assets']) ? assetRows : []),
  ]
  return rows.flatMap(([row, place, fits]) => echo(row, at(body, place), { place, shown: at(data, place), fits }))
}

/** The model and the region hint, which has two rows. A value that is no text is a fault of its own. */
export function headEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  const rows = [
    ['avatar-sessions.session.model-echoed', 'model'],
    ['avatar-sessions.session.region-echoed', 'region'],
    ['avatar-sessions.create.region-echoed', 'region'],
  ] as const
  return rows.flatMap(([row, name]) => {
    const shown = data[name]
    // "May be empty" (2.1): an empty region hints at none.
    const sent = body[name] === '' && name === 'region' ? undefined : body[name]
    return typeof shown === 'string' ? echo(row, sent, { place: `/${name}`, shown }) : []
  })
}

/** `output` of a video session: ratios that the spec names, resolutions of the set; others are faults of their own. */
export function outputEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  const rows = [
    ['avatar-sessions.output.aspect-ratio-echoed', '/output/aspect_ratio', ['9:16', '1:1', '16:9'], body],
    ['avatar-sessions.output.resolution-echoed', '/output/resolution', ['480p', '720p'], data],
  ] as const
  return rows.flatMap(([row, place, known, side]) => {
    const shown = stringAt(data, place)
    const judged = shown !== undefined && known.some((value) => value === stringAt(side, place))
    return judged ? echo(row, at(body, place), { place, shown }) : []
  })
}

/** Avatars by their ids (2.3). What belongs to the picture and the voice is judged in video only. */
export function avatarEchoes(body: JsonObject, data: JsonObject, inVideo: boolean): readonly Echo[] {
  const shown = avatarsOf(data)
  const addresses = avatarsOf(body).flatMap((avatar) =>
    listAt(avatar, '/visual/source_images').map((image) => at(image, '/url')),
  )
  const overruled = at(body, '/pipeline_config/tts_config') !== undefined
  return avatarsOf(body).flatMap((sent) => {
    const place = shown.findIndex((avatar) => at(avatar, '/avatar_id') === at(sent, '/avatar_id'))
    if (place === -1) return []
    const pair = { sent, shown: shown[place], place: `/avatars/${place}`, addresses }
    const said = member('avatar-sessions.avatars.instructions-echoed', '/instructions', pair)
    if (!inVideo) return said
    const voice = overruled ? [] : member('avatar-sessions.avatars.voice-echoed', '/voice', pair)
    return [...said, ...voice, ...visualEchoes(pair)]
  })
}

interface Pair {
  readonly sent: Json
  readonly shown: Json | undefined
  readonly place: string
  /** URLs of all images that were sent. */
  readonly addresses: readonly (Json | undefined)[]
}

/** `source_image_id` is "unique within the avatar" (2.3), in the answer as it was when it was sent. */
function onceEach({ sent, shown, place }: Pair): readonly Echo[] {
  const row = 'avatar-sessions.avatars.source-images-once'
  const [wanted, got] = [idsOfImages(sent), idsOfImages(shown)]
  const list = `${place}/visual/source_images`
  if (got.length === 0 || new Set(wanted).size < wanted.length) return []
  return [{ row, place: list, sent: wanted, shown: got, holds: new Set(got).size === got.length }]
}

function idsOfImages(avatar: Json | undefined): Json[] {
  return listAt(avatar, '/visual/source_images').map((image) => at(image, '/source_image_id') ?? null)
}

function visualEchoes(pair: Pair): readonly Echo[] {
  const images = listAt(pair.shown, '/visual/source_images')
  const each = listAt(pair.sent, '/visual/source_images').flatMap((sent) => {
    const id = at(sent, '/source_image_id')
    const place = images.findIndex((image) => at(image, '/source_image_id') === id)
    const row = 'avatar-sessions.avatars.source-images-echoed'
    const list = `${pair.place}/visual/source_images`
    if (place === -1)
      return [
        {
          row,
          place: list,
          sent: id ?? null,
          shown: images.map((one) => at(one, '/source_image_id') ?? null),
          holds: false,
        } as const,
      ]
    const image = { ...pair, sent, shown: images[place], place: `${list}/${place}` }
    return [
      { row, place: `${image.place}/source_image_id`, sent: id ?? null, shown: id, holds: true } as const,
      ...imageEchoes(image),
    ]
  })
  return [
    ...onceEach(pair),
    ...each,
    ...member('avatar-sessions.avatars.default-source-image-id-echoed', '/visual/default_source_image_id', pair),
    ...member('avatar-sessions.avatars.visual-instructions-echoed', '/visual/instructions', pair),
  ]
}

/** A service may fetch an image and show where it keeps it; that is not where another image came from. */
function imageEchoes(pair: Pair): readonly Echo[] {
  const kept: Fits = (shown, sent) =>
    isAddress(shown) && (withoutFragment(shown) === withoutFragment(sent) || !pair.addresses.includes(shown))
  return [
    ...member('avatar-sessions.avatars.source-image-url-echoed', '/url', pair, kept),
    ...member(
      'avatar-sessions.avatars.source-image-media-type-echoed',
      '/media_type',
      pair,
      isMoved(pair) ? isOfKind : same,
    ),
    ...member('avatar-sessions.avatars.source-image-description-echoed', '/description', pair),
  ]
}

/** Where the service keeps the image itself, or has it already, it may do so in another format. */
function isMoved({ sent, shown }: Pair): boolean {
  const [there, here] = [at(sent, '/url'), at(shown, '/url')]
  return isAddress(here) && withoutFragment(here ?? null) !== withoutFragment(there ?? null)
}

function member(row: RequirementId, path: string, { sent, shown, place }: Pair, fits?: Fits): readonly Echo[] {
  return echo(row, at(sent, path), { place: place + path, shown: at(shown, path), fits })
}

function echo(
  row: RequirementId,
  sent: Json | undefined,
  {
    place,
    shown,
    fits = same,
  }: { readonly place: string; readonly shown: Json | undefined; readonly fits?: Fits | undefined },
): readonly Echo[] {
  if (sent === undefined) return []
  // An empty text is what clients write for none, and may come back as none.
  if (sent === '' && (shown === undefined || shown === null || shown === ''))
    return [{ row, place, sent, shown, holds: true }]
  const holds = isObject(sent) || Array.isArray(sent) ? carries(shown, sent) : shown !== undefined && fits(shown, sent)
  return [{ row, place, sent, shown, holds }]
}

/** Texts stay texts; only integers may come as strings (Conventions). */
function same(shown: Json, sent: Json): boolean {
  return typeof sent === 'string' ? shown === sent : equal(shown, sent)
}
