import type { RequirementId } from '../../src/law/register.ts'
import { carries } from '../../src/judge/operands.ts'
import { at, isObject, type Json, type JsonObject } from '../../src/trace/json.ts'
import { equal } from '../../src/trace/match.ts'
import { avatarsOf, listAt, textAt } from './create-model.ts'

/** What was sent and what came back for it; one comparison of one row. */
export interface Echo {
  readonly row: RequirementId
  /** Place in the answer's data. */
  readonly place: string
  readonly sent: Json
  readonly shown: Json | undefined
  readonly holds: boolean
}

const conversationRows: readonly (readonly [RequirementId, string])[] = [
  ['avatar-sessions.conversation.instructions-echoed', '/conversation/instructions'],
  ['avatar-sessions.conversation.tools-echoed', '/conversation/tools'],
  ['avatar-sessions.conversation.temperature-echoed', '/conversation/response_defaults/temperature'],
  ['avatar-sessions.conversation.max-output-tokens-echoed', '/conversation/response_defaults/max_output_tokens'],
  ['avatar-sessions.conversation.turn-detection-echoed', '/conversation/turn_detection/type'],
  ['avatar-sessions.conversation.transcription-enabled-echoed', '/conversation/input_audio_transcription/enabled'],
  ['avatar-sessions.conversation.transcription-language-echoed', '/conversation/input_audio_transcription/language'],
]

const assetRows: readonly (readonly [RequirementId, string])[] = [
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
  return rows.flatMap(([row, place]) => echo(row, at(body, place), { place, shown: at(data, place) }))
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
    return typeof shown === 'string' ? echo(row, body[name], { place: `/${name}`, shown }) : []
  })
}

/** `output` of a video session: ratios that the spec names, resolutions of the set; others are faults of their own. */
export function outputEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  const rows = [
    ['avatar-sessions.output.aspect-ratio-echoed', '/output/aspect_ratio', ['9:16', '1:1', '16:9'], body],
    ['avatar-sessions.output.resolution-echoed', '/output/resolution', ['480p', '720p'], data],
  ] as const
  return rows.flatMap(([row, place, known, side]) => {
    const shown = textAt(data, place)
    const judged = shown !== undefined && known.some((value) => value === textAt(side, place))
    return judged ? echo(row, at(body, place), { place, shown }) : []
  })
}

/** Avatars by their ids (2.3). What belongs to the picture and the voice is judged in video only. */
export function avatarEchoes(body: JsonObject, data: JsonObject, inVideo: boolean): readonly Echo[] {
  const shown = avatarsOf(data)
  const overruled = at(body, '/pipeline_config/tts_config') !== undefined
  return avatarsOf(body).flatMap((sent) => {
    const place = shown.findIndex((avatar) => at(avatar, '/avatar_id') === at(sent, '/avatar_id'))
    if (place === -1) return []
    const pair = { sent, shown: shown[place], place: `/avatars/${place}` }
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
    const image = { sent, shown: images[place], place: `${list}/${place}` }
    return [
      { row, place: `${image.place}/source_image_id`, sent: id ?? null, shown: id, holds: true } as const,
      ...imageEchoes(image),
    ]
  })
  return [
    ...each,
    ...member('avatar-sessions.avatars.default-source-image-id-echoed', '/visual/default_source_image_id', pair),
    ...member('avatar-sessions.avatars.visual-instructions-echoed', '/visual/instructions', pair),
  ]
}

function imageEchoes(pair: Pair): readonly Echo[] {
  return [
    ...member('avatar-sessions.avatars.source-image-url-echoed', '/url', pair),
    ...member('avatar-sessions.avatars.source-image-media-type-echoed', '/media_type', pair),
    ...member('avatar-sessions.avatars.source-image-description-echoed', '/description', pair),
  ]
}

function member(row: RequirementId, path: string, { sent, shown, place }: Pair): readonly Echo[] {
  return echo(row, at(sent, path), { place: place + path, shown: at(shown, path) })
}

function echo(
  row: RequirementId,
  sent: Json | undefined,
  { place, shown }: { readonly place: string; readonly shown: Json | undefined },
): readonly Echo[] {
  if (sent === undefined) return []
  const holds = isObject(sent) || Array.isArray(sent) ? carries(shown, sent) : shown !== undefined && same(shown, sent)
  return [{ row, place, sent, shown, holds }]
}

/** Texts stay texts; only integers may come as strings (Conventions). */
function same(shown: Json, sent: Json): boolean {
  return typeof sent === 'string' ? shown === sent : equal(shown, sent)
}
