import type { Wire } from '#target/wire'
import { change, drop, put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onShown, other } from './tools.ts'

const allButLast = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, -1) : list)
const reworded = (text: unknown): unknown => (typeof text === 'string' ? `${text} Be kind.` : text)
const oneMore = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : value)
const turned = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value)
const swapped =
  (...values: string[]) =>
  (value: unknown): unknown =>
    value === undefined ? undefined : other(value, ...values)

const outlineDefects = defectsOf('characters', {
  'configuration.model-echoed': [
    'The model comes back as the other one.',
    (b) => onShown(b, change('model', swapped('svc-a1-stream', 'svc-a1-stream-lite'))),
  ],
  'configuration.mode-echoed': ['The mode is not returned.', (b) => onShown(b, drop('session.mode'))],
  'configuration.active-avatar-id-echoed': [
    'The active avatar is not returned.',
    (b) => onShown(b, drop('session.active_avatar_id')),
  ],
  'configuration.source-image-id-echoed': [
    'The source image is not returned.',
    (b) => onShown(b, drop('session.source_image_id')),
  ],
  'configuration.aspect-ratio-echoed': [
    'The aspect ratio comes back as another.',
    (b) => onShown(b, change('output.aspect_ratio', swapped('9:16', '16:9'))),
  ],
  'configuration.resolution-echoed': [
    'The resolution comes back as the other one.',
    (b) => onShown(b, change('output.resolution', swapped('480p', '720p'))),
  ],
  'configuration.max-duration-echoed': [
    'The duration comes back one second longer.',
    (b) => onShown(b, change('max_duration_seconds', oneMore)),
  ],
  'configuration.disconnected-timeout-echoed': [
    'The disconnected timeout is not returned.',
    (b) => onShown(b, drop('auto_close.disconnected_timeout_seconds')),
  ],
  'configuration.idle-timeout-echoed': [
    'The idle timeout is not returned.',
    (b) => onShown(b, drop('auto_close.interaction_idle_timeout_seconds')),
  ],
  'configuration.timeout-zero-echoed': [
    'A disconnected timeout of 0 comes back as the one of the platform.',
    (b) =>
      onShown(
        b,
        change('auto_close.disconnected_timeout_seconds', (value) => (value === 0 ? 300 : value)),
      ),
  ],
  'configuration.timeout-zero-echoed~idle': [
    'An idle timeout of 0 comes back as the smallest one.',
    (b) =>
      onShown(
        b,
        change('auto_close.interaction_idle_timeout_seconds', (value) => (value === 0 ? 30 : value)),
      ),
  ],
  'configuration.tts-echoed': [
    'The voice comes back as another.',
    (b) => onShown(b, replace('pipeline_config.tts_config.tts_voice_id', 'default')),
  ],
  'configuration.pipeline-echoed': [
    'Of the pipeline only the voice comes back.',
    (b) =>
      onShown(
        b,
        change('pipeline_config', (pipeline) =>
          pipeline === undefined ? undefined : { tts_config: Object(pipeline).tts_config },
        ),
      ),
  ],
  'configuration.pipeline-echoed~false': [
    '`tag_audio_enabled` comes back turned.',
    (b) => onShown(b, change('pipeline_config.tag_audio_enabled', turned)),
  ],
})

const contentDefects = defectsOf('characters', {
  'configuration.avatars-echoed': ['The last avatar is lost.', (b) => onShown(b, change('avatars', onlyFirst))],
  'configuration.avatar-instructions-echoed': [
    'Instructions of avatars come back reworded.',
    (b) => onShown(b, change('avatars.*.instructions', reworded)),
  ],
  'configuration.source-images-echoed': [
    'The last source image is lost.',
    (b) => onShown(b, change('avatars.*.visual.source_images', onlyFirst)),
  ],
  'configuration.source-images-echoed~description': [
    'Descriptions are not returned.',
    (b) => onShown(b, drop('avatars.*.visual.source_images.*.description')),
  ],
  'configuration.source-image-url-kept-or-rehosted': [
    'Source images come back without URL.',
    (b) => onShown(b, drop('avatars.*.visual.source_images.*.url')),
  ],
  'configuration.visual-echoed': [
    'The default image is not returned.',
    (b) => onShown(b, drop('avatars.*.visual.default_source_image_id')),
  ],
  'configuration.visual-echoed~instructions': [
    'Visual instructions are not returned.',
    (b) => onShown(b, drop('avatars.*.visual.instructions')),
  ],
  'configuration.conversation-instructions-echoed': [
    'Instructions come back cut.',
    (b) =>
      onShown(
        b,
        change('conversation.instructions', (text) => (typeof text === 'string' ? text.slice(0, 5) : text)),
      ),
  ],
  'configuration.tools-echoed': ['The last tool is lost.', (b) => onShown(b, change('conversation.tools', allButLast))],
  'configuration.tools-echoed~parameters': [
    'Tools come back without parameters.',
    (b) => onShown(b, drop('conversation.tools.*.parameters')),
  ],
  'configuration.response-defaults-echoed': [
    'Response defaults are not returned.',
    (b) => onShown(b, drop('conversation.response_defaults')),
  ],
  'configuration.turn-detection-echoed': [
    'Turn detection comes back as the other one.',
    (b) => onShown(b, change('conversation.turn_detection.type', swapped('manual', 'server_vad'))),
  ],
  'configuration.transcription-echoed': [
    'The transcription switch is turned.',
    (b) => onShown(b, change('conversation.input_audio_transcription.enabled', turned)),
  ],
  'configuration.transcription-echoed~language': [
    'The language of the transcription is not returned.',
    (b) => onShown(b, put('conversation.input_audio_transcription.language', undefined)),
  ],
})

function onlyFirst(list: unknown): unknown {
  return Array.isArray(list) ? list.slice(0, 1) : list
}

/** A configuration with one more field of the body. */
const alsoKept = (kept: Wire, body: Wire, field: string): Wire =>
  body[field] === undefined ? kept : { ...kept, [field]: body[field] }

const excessDefects = defectsOf('characters', {
  'configuration.character-id-not-saved': [
    'A `character_id` of the body is shown as that of the character.',
    ({ characters }) => {
      const { stored } = characters
      characters.stored = (body, operation) => alsoKept(stored(body, operation), body, 'character_id')
    },
  ],
  'configuration.idempotency-key-not-saved': [
    'The idempotency key of a create is saved.',
    ({ characters }) => {
      const { stored } = characters
      characters.stored = (body, operation) =>
        operation === 'create-character'
          ? alsoKept(stored(body, operation), body, 'idempotency_key')
          : stored(body, operation)
    },
  ],
})

export const configurationDefects = [...outlineDefects, ...contentDefects, ...excessDefects]
