import type { ChoiceId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { avatarsOf } from './model.ts'

/** A choice that a create makes visible. */
export interface Probe {
  readonly choice: ChoiceId
  /** What of the choice this body asks about; empty where there is but one thing, undefined where nothing. */
  readonly seen: (body: JsonObject) => string | undefined
}

const known = new Set([
  'model',
  'idempotency_key',
  'region',
  'recording_mode',
  'session',
  'output',
  'pipeline_config',
  'assets',
  'conversation',
  'avatars',
  'delivery',
  'max_duration_seconds',
  'auto_close',
])

const when = (choice: ChoiceId, holds: (body: JsonObject) => boolean): Probe => ({
  choice,
  seen: (body) => (holds(body) ? '' : undefined),
})

const isVideo = (body: JsonObject): boolean => at(body, '/session/mode') !== 'text_chat'
const images = (body: JsonObject): readonly Json[] =>
  avatarsOf(body).flatMap((avatar) => listAt(avatar, '/visual/source_images'))
const llm = (body: JsonObject, name: string): Json | undefined => at(body, `/pipeline_config/llm_config/${name}`)

/** Creates from which one sees what the target makes of something that the interface leaves open. */
export const probes: readonly Probe[] = [
  when('avatar-sessions.create.unknown-fields', (body) => Object.keys(body).some((name) => !known.has(name))),
  {
    choice: 'avatar-sessions.create.output-parts-required',
    seen: (body) => {
      const output = body['output']
      if (!isVideo(body) || !isObject(output) || Object.keys(output).length !== 1) return undefined
      return `${Object.keys(output).join()} alone`
    },
  },
  {
    choice: 'avatar-sessions.create.aspect-ratio-others',
    seen: (body) => {
      const ratio = stringAt(body, '/output/aspect_ratio') ?? ''
      return isVideo(body) && /^\d+:\d+$/.test(ratio) && !['9:16', '1:1', '16:9'].includes(ratio) ? ratio : undefined
    },
  },
  when('avatar-sessions.create.text-chat-source-image-unknown', (body) => {
    const asked = stringAt(body, '/session/source_image_id')
    return (
      !isVideo(body) && asked !== undefined && !images(body).some((image) => at(image, '/source_image_id') === asked)
    )
  }),
  when('avatar-sessions.create.fractional-duration', (body) => {
    const seconds = body['max_duration_seconds']
    return typeof seconds === 'number' && !Number.isInteger(seconds)
  }),
  when(
    'avatar-sessions.create.wrong-types',
    (body) => typeof (at(body, '/conversation/instructions') ?? '') !== 'string',
  ),
  when('avatar-sessions.avatars.one-usable-of-several-images', (body) => {
    const given = images(body)
    const usable = given.filter((image) => stringAt(image, '/url') !== undefined)
    const chosen = at(body, '/session/source_image_id') ?? at(body, '/avatars/0/visual/default_source_image_id')
    return (
      isVideo(body) && avatarsOf(body).length === 1 && given.length > 1 && usable.length === 1 && chosen === undefined
    )
  }),
  when('avatar-sessions.avatars.image-url-inaccessible', (body) =>
    images(body).some((image) => /^https:\/\/[^/]+\.invalid\//.test(stringAt(image, '/url') ?? '')),
  ),
  when('avatar-sessions.avatars.image-url-not-https', (body) =>
    images(body).some((image) => /^http:/i.test(stringAt(image, '/url') ?? '')),
  ),
  when('avatar-sessions.avatars.media-type-other-than-bytes', (body) =>
    images(body).some((image) => stringAt(image, '/media_type') === 'image/x-icon'),
  ),
  when('avatar-sessions.avatars.voice-beside-session-tts', (body) => {
    const voiced = avatarsOf(body).some((avatar) => isObject(at(avatar, '/voice')))
    return voiced && at(body, '/pipeline_config/tts_config') !== undefined
  }),
  when('avatar-sessions.conversation.transcription-language-nonsense', (body) =>
    /[^A-Za-z0-9-]/.test(stringAt(body, '/conversation/input_audio_transcription/language') ?? ''),
  ),
  when('avatar-sessions.conversation.tool-parameters-not-object', (body) =>
    listAt(body, '/conversation/tools').some((tool) => {
      const parameters = at(tool, '/parameters')
      return parameters !== undefined && !isObject(parameters)
    }),
  ),
  when('avatar-sessions.pipeline.idle-motion-key', (body) => at(body, '/pipeline_config/idle_motion') !== undefined),
  when('avatar-sessions.pipeline.llm-extra-payload-not-json', (body) => {
    const payload = llm(body, 'llm_extra_payload')
    return typeof payload === 'string' && !payload.trim().startsWith('{')
  }),
  when(
    'avatar-sessions.pipeline.llm-base-url-without-model',
    (body) => llm(body, 'llm_base_url') !== undefined && llm(body, 'llm_model') === undefined,
  ),
  when('avatar-sessions.pipeline.voice-unknown', (body) =>
    /never-made/.test(stringAt(body, '/pipeline_config/tts_config/tts_voice_id') ?? ''),
  ),
  when('limits.disconnected-timeout.above-default-duration', (body) => {
    const timeout = at(body, '/auto_close/disconnected_timeout_seconds')
    return timeout === 3600 && body['max_duration_seconds'] === undefined
  }),
  {
    choice: 'limits.max-duration.maximum',
    seen: (body) => {
      const seconds = body['max_duration_seconds']
      const timers = isObject(body['auto_close']) ? Object.values(body['auto_close']) : []
      const alone = timers.every((value) => value === 0 || value === 3600)
      return typeof seconds === 'number' && seconds >= 3600 && alone ? `${seconds} s` : undefined
    },
  },
]
