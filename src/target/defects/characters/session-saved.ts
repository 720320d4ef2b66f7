import { avatarOf, imagesOf } from '#target/behaviour/create'
import { textOf, type Wire, wireAt, wiresAt, without } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { isStarted, onStart, onStarted, other } from './tools.ts'

const IDLE = 'interaction_idle_timeout_seconds'

/** The avatar that is active in a create. */
const activeOf = (body: Wire): Wire | undefined => {
  const avatars = wiresAt(body, 'avatars')
  return avatarOf(avatars, textOf(wireAt(body, 'session')['active_avatar_id'])) ?? avatars[0]
}

/** Another image of the active avatar than the one that a create comes to. */
const otherImage = (body: Wire): unknown => {
  const asked = wireAt(body, 'session')['source_image_id']
  const active = activeOf(body)
  const taken = asked ?? wireAt(active, 'visual')['default_source_image_id']
  return imagesOf(active).find((image) => image['source_image_id'] !== taken)?.['source_image_id'] ?? taken
}

const withSession = (body: Wire, fields: Wire): Wire => ({
  ...body,
  session: { ...wireAt(body, 'session'), ...fields },
})

const resolutionDefects = defectsOf('characters', {
  'session.mode-saved': [
    'A text chat tells that it is video.',
    (b) => onStarted(b, put('session.mode', 'video_avatar')),
  ],
  'session.mode-default-saved': [
    'A character without mode starts a text chat.',
    (b) =>
      onStart(b, (body) =>
        wireAt(body, 'session')['mode'] === undefined ? withSession(body, { mode: 'text_chat' }) : body,
      ),
  ],
  'session.model-saved': [
    'A start takes the model that is not saved.',
    (b) =>
      onStart(b, (body, sent) =>
        sent['model'] === undefined && body['model'] !== undefined
          ? { ...body, model: other(body['model'], 'svc-a1-stream', 'svc-a1-stream-lite') }
          : body,
      ),
  ],
  'session.active-avatar-saved': [
    'A start makes another avatar active than the saved one.',
    (b) =>
      onStart(b, (body) => {
        const saved = wireAt(body, 'session')['active_avatar_id']
        const ids = wiresAt(body, 'avatars').map((avatar) => textOf(avatar['avatar_id']) ?? '')
        return saved === undefined ? body : withSession(body, { active_avatar_id: other(saved, ...ids) || saved })
      }),
  ],
  'session.active-avatar-sole': [
    'An only avatar is not told as active.',
    (b) =>
      onStarted(b, (data) =>
        wiresAt(data, 'avatars').length === 1 ? put('session.active_avatar_id', '')(data) : data,
      ),
  ],
  'session.source-image-saved': [
    'A start takes another image than the saved one.',
    (b) =>
      onStart(b, (body) =>
        wireAt(body, 'session')['source_image_id'] === undefined
          ? body
          : withSession(body, { source_image_id: otherImage(body) }),
      ),
  ],
  'session.source-image-default': [
    'A start takes another image than the default.',
    (b) =>
      onStart(b, (body) =>
        wireAt(body, 'session')['source_image_id'] === undefined && imagesOf(activeOf(body)).length > 1
          ? withSession(body, { source_image_id: otherImage(body) })
          : body,
      ),
  ],
  'session.response-shape': ['A start tells of no timeouts.', (b) => onStarted(b, drop('auto_close'))],
  'session.response-shape~control': ['A start returns no control.', (b) => onStarted(b, drop('control'))],
})

const contentDefects = defectsOf('characters', {
  'session.avatars-saved': [
    'A session has its active avatar alone.',
    (b) => onStart(b, (body) => ({ ...body, avatars: [activeOf(body) ?? {}] })),
  ],
  'session.avatar-instructions-saved': [
    'A session has no instructions of its avatars.',
    (b) => onStart(b, drop('avatars.*.instructions')),
  ],
  'session.source-images-saved': [
    'A session has one image of each avatar.',
    (b) =>
      onStarted(
        b,
        change('avatars.*.visual.source_images', (list) => (Array.isArray(list) ? list.slice(0, 1) : list)),
      ),
  ],
  'session.conversation-instructions-saved': [
    'A session has no instructions of its conversation.',
    (b) => onStart(b, drop('conversation.instructions')),
  ],
  'session.tools-saved': ['A session has no tools.', (b) => onStart(b, drop('conversation.tools'))],
  'session.response-defaults-saved': [
    'A session has no response defaults.',
    (b) => onStart(b, drop('conversation.response_defaults')),
  ],
  'session.turn-detection-saved': [
    'A session has no turn detection.',
    (b) => onStart(b, drop('conversation.turn_detection')),
  ],
  'session.transcription-saved': [
    'A session has no transcription.',
    (b) => onStart(b, drop('conversation.input_audio_transcription')),
  ],
  'session.output-saved': [
    'A start takes another resolution than the saved one.',
    (b) =>
      onStart(b, (body, sent) =>
        sent['output'] === undefined
          ? change('output.resolution', (value) => other(value, '480p', '720p'))(body)
          : body,
      ),
  ],
  'session.delivery-saved': [
    'A saved transport does not count.',
    (b) => onStart(b, (body, sent) => (sent['delivery'] === undefined ? without(body, 'delivery') : body)),
  ],
  'session.transport-default': [
    'Without delivery a session from a character is delivered over rtc_b.',
    (b) =>
      onStart(b, (body) =>
        body['delivery'] === undefined ? { ...body, delivery: { media: { transport: 'rtc_b' } } } : body,
      ),
  ],
})

const durationDefects = defectsOf('characters', {
  'session.disconnected-timeout-saved': [
    'A session has the disconnected timeout of the platform.',
    (b) => onStart(b, drop('auto_close.disconnected_timeout_seconds')),
  ],
  'session.idle-timeout-saved': ['A session has no idle timeout.', (b) => onStart(b, drop(`auto_close.${IDLE}`))],
  'session.timeout-zero-saved': [
    'A disconnected timeout of 0 is told as that of the platform.',
    (b) =>
      onStarted(
        b,
        change('auto_close.disconnected_timeout_seconds', (value) => (value === 0 ? 300 : value)),
      ),
  ],
  'session.idle-timeout-omitted-zero': [
    'A session has an idle timeout of a minute unasked.',
    (b) => onStart(b, (body) => ({ ...body, auto_close: { [IDLE]: 60, ...wireAt(body, 'auto_close') } })),
  ],
  'session.max-duration-saved': [
    'A saved duration does not count.',
    (b) =>
      onStart(b, (body, sent) =>
        sent['max_duration_seconds'] === undefined ? without(body, 'max_duration_seconds') : body,
      ),
  ],
  'session.auto-close-disconnected-closes': [
    'A disconnected timeout from a character never ends.',
    ({ lifecycle }) => {
      const { disconnectedMs } = lifecycle
      lifecycle.disconnectedMs = (policy, session) => (isStarted(session) ? 0 : disconnectedMs(policy, session))
    },
  ],
  'session.expires-within-saved-duration': [
    'A session from a character is said to live an hour longer.',
    (b) =>
      onStarted(
        b,
        change('expires_at', (at) => new Date(Date.parse(String(at)) + 3_600_000).toISOString()),
      ),
  ],
})

export const sessionSavedDefects = [...resolutionDefects, ...contentDefects, ...durationDefects]
