import {
  allButLast,
  change,
  cutAt,
  firstAgain,
  inSmallLetters,
  omit,
  put,
  replace,
  withoutMarkup,
} from '#target/overrides/changes'
import type { Override } from '#target/behaviour/behaviour'
import { snake, onSavedConfiguration } from '#target/overrides/data'
import { around, remembering, set } from '#target/overrides/operators'
import { isWire, type JsonObject, objectAt, objectsAt, textOf, wiresOf, without } from '#target/wire'
import { inside, onFull, other } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

const reworded = (text: unknown): unknown => (typeof text === 'string' ? `${text} Be kind.` : text)

const oneMore = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : value)

const isText = (value: unknown): value is string => textOf(value) !== undefined

const turned = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value)

const swapped =
  (...values: string[]) =>
  (value: unknown): unknown =>
    value === undefined ? undefined : other(value, ...values)

/** Members that are plain values. */
function flat(value: unknown): unknown {
  if (!isWire(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== 'object'))
}

function onlyFirst(list: unknown): unknown {
  return Array.isArray(list) ? list.slice(0, 1) : list
}

/** The same with the names of its members in `snake_case`, at any depth. */
function snaked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snaked)
  if (!isWire(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snake(name), snaked(one)]))
}

/** What was read of a save once is written into every later one without it. */
const savedOnce = (
  read: (saved: JsonObject) => unknown,
  write: (saved: JsonObject, last: unknown) => JsonObject,
): Override =>
  remembering(() => {
    let last: unknown
    return around('characters.stored', (stored) => (body, operation) => {
      const saved = stored(body, operation)
      last = read(saved) ?? last
      return last === undefined ? saved : write(saved, last)
    })
  })

/** A configuration with one more field of the body. */
const alsoKept = (kept: JsonObject, body: JsonObject, field: string): JsonObject =>
  body[field] === undefined ? kept : { ...kept, [field]: body[field] }

export const configurationDefects = defectsOf('characters.configuration', {
  'model-echoed: The model comes back as the other one.': onSavedConfiguration(
    change('model', swapped('svc-a1-stream', 'svc-a1-stream-lite')),
  ),
  'mode-echoed: The mode is not returned.': onSavedConfiguration(omit('session.mode')),
  'active-avatar-id-echoed: The active avatar is not returned.': onSavedConfiguration(omit('session.active_avatar_id')),
  'source-image-id-echoed: The source image is not returned.': onSavedConfiguration(omit('session.source_image_id')),
  'aspect-ratio-echoed: The aspect ratio comes back as another.': onSavedConfiguration(
    change('output.aspect_ratio', swapped('9:16', '16:9')),
  ),
  'resolution-echoed: The resolution comes back as the other one.': onSavedConfiguration(
    change('output.resolution', swapped('480p', '720p')),
  ),
  'max-duration-echoed: The duration comes back one second longer.': onSavedConfiguration(
    change('max_duration_seconds', oneMore),
  ),
  'disconnected-timeout-echoed: The disconnected timeout is not returned.': onSavedConfiguration(
    omit('auto_close.disconnected_timeout_seconds'),
  ),
  'idle-timeout-echoed: The idle timeout is not returned.': onSavedConfiguration(
    omit('auto_close.interaction_idle_timeout_seconds'),
  ),
  'timeout-zero-echoed: A disconnected timeout of 0 comes back as the one of the platform.': onSavedConfiguration(
    change('auto_close.disconnected_timeout_seconds', (value) => (value === 0 ? 300 : value)),
  ),
  'timeout-zero-echoed~idle: An idle timeout of 0 comes back as the smallest one.': onSavedConfiguration(
    change('auto_close.interaction_idle_timeout_seconds', (value) => (value === 0 ? 30 : value)),
  ),
  'tts-echoed: The voice comes back as another.': onSavedConfiguration(
    replace('pipeline_config.tts_config.tts_voice_id', 'default'),
  ),
  'tts-echoed~cloned: A voice that was cloned here comes back under another name.': onSavedConfiguration(
    change('pipeline_config.tts_config.tts_voice_id', (id) =>
      typeof id === 'string' && id.startsWith('voice_') ? `own:${id}` : id,
    ),
  ),
  'tts-echoed~payload: The extensions of a provider are lost.': onSavedConfiguration(
    omit('pipeline_config.tts_config.payload'),
  ),
  'tts-echoed~payload-nested: The extensions of a provider lose what is no plain value.': onSavedConfiguration(
    change('pipeline_config.tts_config.payload', flat),
  ),
  'tts-echoed~snake-case: The extensions of a provider come back in snake_case.': onSavedConfiguration(
    change('pipeline_config.tts_config.payload', snaked),
  ),
  'tts-echoed~endpoint: The endpoint of a voice is lost.': onSavedConfiguration(
    omit('pipeline_config.tts_config.tts_endpoint'),
  ),
  'tts-echoed~provider: The provider and the model of a voice are lost.': onSavedConfiguration((shown) =>
    omit('pipeline_config.tts_config.tts_model_id')(omit('pipeline_config.tts_config.tts_provider')(shown)),
  ),
  'pipeline-echoed~model: The model of a service of the caller’s own is lost.': onSavedConfiguration(
    omit('pipeline_config.llm_config.llm_model'),
  ),
  'pipeline-echoed: Of the pipeline only the voice comes back.': onSavedConfiguration(
    change('pipeline_config', (pipeline) =>
      pipeline === undefined ? undefined : { tts_config: Object(pipeline).tts_config },
    ),
  ),
  'pipeline-echoed~false: `tag_audio_enabled` comes back turned.': onSavedConfiguration(
    change('pipeline_config.tag_audio_enabled', turned),
  ),
  'pipeline-echoed~motion-planner: The motion planner of a pipeline configuration is lost.': onFull(
    omit('pipeline_config.motion_planner'),
  ),
  'pipeline-echoed~prompts: What drives motion is kept up to 255 characters.': onSavedConfiguration((shown) =>
    change(
      'pipeline_config.motion_planner.prompt',
      cutAt(255),
    )(change('pipeline_config.motion_enhanced.prompt', cutAt(255))(shown)),
  ),
  'pipeline-echoed~recognition: The recognition of a pipeline configuration is lost.': onSavedConfiguration(
    omit('pipeline_config.asr_config'),
  ),
  'pipeline-echoed~timeout: The timeout of a recognition comes back as a number.': onSavedConfiguration(
    change('pipeline_config.asr_config.eou_timeout_ms', (text) => (text === undefined ? undefined : Number(text))),
  ),
  'pipeline-echoed~extra: The extra payload of a model comes back as an object.': onSavedConfiguration(
    change('pipeline_config.llm_config.llm_extra_payload', (text) => (isText(text) ? JSON.parse(text) : text)),
  ),
  'avatars-echoed: The last avatar is lost.': onSavedConfiguration(change('avatars', onlyFirst)),
  "avatars-echoed~voice-speed: The speed of an avatar's voice is lost.": onFull(omit('avatars.*.voice.speed')),
  'avatar-instructions-echoed: Instructions of avatars come back reworded.': onSavedConfiguration(
    change('avatars.*.instructions', reworded),
  ),
  'avatar-instructions-echoed~cut: Instructions of avatars are kept up to 512 characters.': onSavedConfiguration(
    change('avatars.*.instructions', (text) => textOf(text)?.slice(0, 512)),
  ),
  'avatar-instructions-echoed~markup: What looks like markup in instructions of avatars is not kept.':
    onSavedConfiguration(change('avatars.*.instructions', withoutMarkup)),
  'own-only: Tools that were saved once are those of every later character without any.': savedOnce(
    (saved) => objectAt(saved, 'conversation')['tools'],
    (saved, tools) => ({ ...saved, conversation: { ...objectAt(saved, 'conversation'), tools } }),
  ),
  'own-only~duration: A duration that was saved once is that of every later character without one.': savedOnce(
    (saved) => saved['max_duration_seconds'],
    (saved, max_duration_seconds) => ({ ...saved, max_duration_seconds }),
  ),
  'avatars-own-only: Each avatar shows the images of all.': onSavedConfiguration((configuration) => {
    const avatars = objectsAt(configuration, 'avatars')
    const source_images = avatars.flatMap(({ visual }) => objectsAt(visual, 'source_images'))
    const whole = avatars.map((one) =>
      isWire(one['visual']) ? { ...one, visual: { ...one['visual'], source_images } } : one,
    )
    return { ...configuration, avatars: whole }
  }),
  'avatars-own-only~instructions: An avatar without instructions shows those of the first.': onSavedConfiguration(
    (configuration) => {
      const avatars = objectsAt(configuration, 'avatars')
      const instructions = avatars[0]?.['instructions']
      return instructions === undefined
        ? configuration
        : { ...configuration, avatars: avatars.map((one) => ({ instructions, ...one })) }
    },
  ),
  'source-images-once: The first source image comes back at both ends of the list.': onSavedConfiguration(
    change('avatars.*.visual.source_images', firstAgain),
  ),
  'source-images-echoed: The last source image is lost.': onSavedConfiguration(
    change('avatars.*.visual.source_images', onlyFirst),
  ),
  'source-images-echoed~description: Descriptions are not returned.': onSavedConfiguration(
    omit('avatars.*.visual.source_images.*.description'),
  ),
  'source-images-echoed~description-second: Only the first image of an avatar keeps its description.':
    onSavedConfiguration(
      change('avatars.*.visual.source_images', (images) =>
        images === undefined
          ? undefined
          : wiresOf(images).map((image, place) => (place === 0 ? image : without(image, 'description'))),
      ),
    ),
  'source-images-echoed~description-cut: Descriptions are kept up to 255 characters.': onSavedConfiguration(
    change('avatars.*.visual.source_images.*.description', cutAt(255)),
  ),
  'source-images-echoed~second-avatar: Of the images of a second avatar only the first comes back.':
    onSavedConfiguration((shown) => {
      const avatars = objectsAt(shown, 'avatars').map((avatar, place) => {
        const source_images = objectsAt(avatar['visual'], 'source_images').slice(0, 1)
        if (place === 0 || source_images.length === 0) return avatar
        return { ...avatar, visual: { ...objectAt(avatar, 'visual'), source_images } }
      })
      return avatars.length === 0 ? shown : { ...shown, avatars }
    }),
  'source-image-url-kept-or-rehosted: Source images come back without URL.': onSavedConfiguration(
    omit('avatars.*.visual.source_images.*.url'),
  ),
  'visual-echoed: The default image is not returned.': onSavedConfiguration(
    omit('avatars.*.visual.default_source_image_id'),
  ),
  'visual-echoed~instructions: Visual instructions are not returned.': onSavedConfiguration(
    omit('avatars.*.visual.instructions'),
  ),
  'visual-echoed~instructions-cut: Visual instructions are kept up to 255 characters.': onSavedConfiguration(
    change('avatars.*.visual.instructions', cutAt(255)),
  ),
  'conversation-instructions-echoed: Instructions come back cut.': onSavedConfiguration(
    change('conversation.instructions', cutAt(5)),
  ),
  'conversation-instructions-echoed~markup: What looks like markup in instructions is not kept.': onSavedConfiguration(
    change('conversation.instructions', withoutMarkup),
  ),
  'conversation-instructions-echoed~column: Instructions are kept up to 255 characters.': onSavedConfiguration(
    change('conversation.instructions', cutAt(255)),
  ),
  'tools-echoed~description: Descriptions of tools are kept up to 255 characters.': onSavedConfiguration(
    change('conversation.tools.*.description', cutAt(255)),
  ),
  'tools-echoed: The last tool is lost.': onSavedConfiguration(change('conversation.tools', allButLast)),
  'tools-echoed~name: Names of tools come back in small letters.': onSavedConfiguration(
    change('conversation.tools.*.name', inSmallLetters),
  ),
  'tools-echoed~snake-case: The names of parameters of tools come back in snake_case.': onSavedConfiguration(
    change('conversation.tools.*.parameters', snaked),
  ),
  'tools-echoed~required: Parameters of tools come back without what they require.': onSavedConfiguration(
    omit('conversation.tools.*.parameters.required'),
  ),
  'tools-echoed~enum: Parameters of tools lose the values that they are limited to.': onSavedConfiguration(
    omit('conversation.tools.*.parameters.properties.topic.enum'),
  ),
  'tools-echoed~parameters: Tools come back without parameters.': onSavedConfiguration(
    omit('conversation.tools.*.parameters'),
  ),
  'tools-echoed~in-video: Tools of a character in video are lost.': onSavedConfiguration((shown) =>
    objectAt(shown, 'session')['mode'] === 'video_avatar' ? omit('conversation.tools')(shown) : shown,
  ),
  'response-defaults-echoed: Response defaults are not returned.': onSavedConfiguration(
    omit('conversation.response_defaults'),
  ),
  'response-defaults-echoed~zero: A temperature of 0 is not returned.': onSavedConfiguration((shown) => {
    const defaults = inside(shown, 'conversation', 'response_defaults')
    if (defaults['temperature'] !== 0) return shown
    const response_defaults = without(defaults, 'temperature')
    return { ...shown, conversation: { ...objectAt(shown, 'conversation'), response_defaults } }
  }),
  'turn-detection-echoed: Turn detection comes back as the other one.': onSavedConfiguration(
    change('conversation.turn_detection.type', swapped('manual', 'server_vad')),
  ),
  'transcription-echoed: The transcription switch is turned.': onSavedConfiguration(
    change('conversation.input_audio_transcription.enabled', turned),
  ),
  'transcription-echoed~language: The language of the transcription is not returned.': onSavedConfiguration(
    put('conversation.input_audio_transcription.language', undefined),
  ),
  'character-id-not-saved: A `character_id` of the body is shown as that of the character.': around(
    'characters.stored',
    (stored) => (body, operation) => alsoKept(stored(body, operation), body, 'character_id'),
  ),
  'idempotency-key-not-saved: The idempotency key of a create is saved.': around(
    'characters.stored',
    (stored) => (body, operation) =>
      operation === 'create-character'
        ? alsoKept(stored(body, operation), body, 'idempotency_key')
        : stored(body, operation),
  ),
  'idempotency-key-not-saved~binds: A key sent on save is kept unseen and binds the starts that send none.': [
    around('characters.stored', (stored) => (body, operation) => {
      const key = body['idempotency_key']
      return { ...stored(body, operation), ...(key === undefined ? {} : { idempotency_key: key }) }
    }),
    set('characters.views.configuration', ({ configuration: { idempotency_key: _key, ...shown } }) => shown),
    set('characters.sessions.touches', ({ configuration }, sent) => {
      const key = configuration['idempotency_key']
      if (sent['idempotency_key'] === undefined && key !== undefined) sent['idempotency_key'] = key
    }),
  ],
})
