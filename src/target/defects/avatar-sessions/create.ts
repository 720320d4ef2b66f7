import type { Override } from '#target/behaviour/behaviour'
import { imageOf, imagesOf } from '#target/behaviour/create'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { onSuccess } from '#target/overrides/data'
import { around, drop, except, set, several } from '#target/overrides/operators'
import { isWire, objectAt, textOf, without } from '#target/wire'
import { MODES, unchecked } from '../tools/modes.ts'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const outputIs = (input: CreateInput, name: string, value: string): boolean =>
  input.mode === 'video_avatar' && sent(input, 'output', name) === value

/** An unknown mode of a create counts as one of the two. */
const readAs = (mode: string): Override =>
  several(
    drop('validations.createSession', 'mode-unknown'),
    around('create.mode', (known) => (session) => (MODES.includes(known(session)) ? known(session) : mode)),
  )

const isEmpty = (value: unknown): boolean => isWire(value) && Object.keys(value).length === 0

export const createDefects = defectsOf('avatar-sessions.create', {
  'empty-members-accepted: Empty assets are refused.': refuseCreate((input) => isEmpty(sent(input, 'assets'))),
  'empty-members-accepted~conversation: An empty conversation is refused.': refuseCreate((input) =>
    isEmpty(sent(input, 'conversation')),
  ),
  'empty-members-accepted~delivery: A delivery needs its media.': refuseCreate((input) =>
    isEmpty(sent(input, 'delivery')),
  ),
  'empty-members-accepted~media: The media of a delivery need a transport.': refuseCreate((input) =>
    isEmpty(sent(input, 'delivery', 'media')),
  ),
  'minimal-text-chat-accepted: A text chat needs a conversation.': refuseCreate(
    (input) => input.mode === 'text_chat' && input.body['conversation'] === undefined,
  ),
  'minimal-text-chat-accepted~no-message: A create that succeeded has no message.': onSuccess((envelope) =>
    without(envelope, 'message'),
  ),
  'minimal-text-chat-accepted~code-200: A create that succeeded has the code 200.': onSuccess((envelope) => ({
    ...envelope,
    code: 200,
  })),
  'minimal-text-chat-accepted~code-text: A create that succeeded has its code in a string.': onSuccess((envelope) => ({
    ...envelope,
    code: '0',
  })),
  'minimal-text-chat-accepted~list: A create is answered with a list that holds what was made.': around(
    'http.encode',
    (encode) => (envelope, operation) =>
      operation.startsWith('create-') && envelope['code'] === 0
        ? JSON.stringify([envelope['data']])
        : encode(envelope, operation),
  ),
  'minimal-video-accepted: A video session needs a delivery.': refuseCreate(
    (input) => input.mode === 'video_avatar' && input.body['delivery'] === undefined,
  ),
  'model-stream-accepted: `svc-a1-stream` is unknown.': set('create.models', ['svc-a1-stream-lite']),
  'model-lite-accepted: `svc-a1-stream-lite` is unknown.': set('create.models', ['svc-a1-stream']),
  'region-unknown-accepted: An unknown region is refused.': refuseCreate(
    ({ body }) => typeof body['region'] === 'string' && !/^(?:us|eu|ap|cn)(?:-[a-z]+)?(?:-\d)?$/u.test(body['region']),
  ),
  'recording-on-accepted: Whoever switches recording on is told that the parameter is invalid.': refuseCreate(
    ({ body }) => body['recording_mode'] === 'on',
    '20004',
  ),
  'recording-off-accepted: Recording cannot be switched off.': set('create.recordingModes', ['on']),
  'resolution-480p-accepted: 480p is an invalid parameter.': refuseCreate(
    (input) => outputIs(input, 'resolution', '480p'),
    '20004',
  ),
  'resolution-720p-accepted: 720p is an invalid parameter.': refuseCreate(
    (input) => outputIs(input, 'resolution', '720p'),
    '20004',
  ),
  'aspect-ratio-9-16-accepted: 9:16 is an invalid parameter.': refuseCreate(
    (input) => outputIs(input, 'aspect_ratio', '9:16'),
    '20004',
  ),
  'aspect-ratio-1-1-accepted: 1:1 is an invalid parameter.': refuseCreate(
    (input) => outputIs(input, 'aspect_ratio', '1:1'),
    '20004',
  ),
  'aspect-ratio-16-9-accepted: 16:9 is an invalid parameter.': refuseCreate(
    (input) => outputIs(input, 'aspect_ratio', '16:9'),
    '20004',
  ),
  'avatars-several-accepted: A session has one avatar.': refuseCreate((input) => input.avatars.length > 1),
  'avatars-several-accepted~capitals: Avatar ids that differ in capitals alone count as the same.': refuseCreate(
    ({ avatars }) => {
      const ids = avatars.map((one) => String(one['avatar_id']))
      return new Set(ids.map((id) => id.toLowerCase())).size < new Set(ids).size
    },
  ),
  'max-duration-minimum-accepted: The minimum is ten seconds.': set('limits.maxDurationMinimum', 10),
  'disconnected-timeout-optional: A disconnected timeout is required.': refuseCreate(
    (input) => sent(input, 'auto_close', 'disconnected_timeout_seconds') === undefined,
  ),
  'output-ignored-in-text-chat: A text chat must have no output.': refuseCreate(
    ({ mode, body }) => mode === 'text_chat' && body['output'] !== undefined,
  ),
  'output-unsupported-ignored-in-text-chat: The output of a text chat is validated.': refuseCreate(
    (input) =>
      input.mode === 'text_chat' &&
      input.body['output'] !== undefined &&
      !['480p', '720p'].includes(String(sent(input, 'output', 'resolution'))),
  ),
  'model-missing-rejected: The model has a default.': drop('validations.createSession', 'model-missing'),
  'model-unknown-rejected: Any model is accepted.': drop('validations.createSession', 'model-unsupported'),
  'model-unknown-rejected~in-video: In video sessions any model is taken.': unchecked(
    'video_avatar',
    ({ createSession }) => createSession['model-unsupported'],
  ),
  'recording-unknown-rejected: Any recording mode is accepted.': drop(
    'validations.createSession',
    'recording-mode-unknown',
  ),
  'recording-unknown-rejected~in-video: In video sessions any recording mode is taken.': unchecked(
    'video_avatar',
    ({ createSession }) => createSession['recording-mode-unknown'],
  ),
  'mode-unknown-rejected: An unknown mode means text.': [
    drop('validations.createSession', 'mode-unknown'),
    around('create.mode', (mode) => (session) => (mode(session) === 'video_avatar' ? 'video_avatar' : 'text_chat')),
  ],
  'mode-unknown-rejected~as-text: An unknown mode means text_chat.': readAs('text_chat'),
  'mode-unknown-rejected~as-video: An unknown mode means video_avatar.': readAs('video_avatar'),
  'output-missing-rejected: A video session needs no output when it says that it is one.': except(
    'validations.createSession',
    'output-missing',
    (input) => input.session['mode'] !== undefined,
  ),
  'output-missing-default-mode-rejected: A session of the default mode needs no output.': except(
    'validations.createSession',
    'output-missing',
    (input) => input.session['mode'] === undefined,
  ),
  'resolution-unknown-rejected: Any resolution is accepted.': drop(
    'validations.createSession',
    'resolution-unsupported',
  ),
  'resolution-unknown-rejected~higher: A resolution of 1080p is accepted.': except(
    'validations.createSession',
    'resolution-unsupported',
    ({ body }) => objectAt(body, 'output')['resolution'] === '1080p',
  ),
  'aspect-ratio-nonsense-rejected: Any aspect ratio is accepted.': drop(
    'validations.createSession',
    'aspect-ratio-unsupported',
  ),
  'avatars-missing-rejected: Avatars are optional.': [
    drop('validations.avatars', 'avatars-missing'),
    around(
      'create.avatars',
      (avatars) => (body) => (body['avatars'] === undefined ? [{ avatar_id: 'default' }] : avatars(body)),
    ),
  ],
  'avatars-empty-rejected: Avatars may be empty.': [
    drop('validations.avatars', 'avatars-empty'),
    around(
      'create.avatars',
      (avatars) => (body) =>
        Array.isArray(body['avatars']) && body['avatars'].length === 0 ? [{ avatar_id: 'default' }] : avatars(body),
    ),
  ],
  'avatars-duplicate-id-rejected: Avatars may share an id.': drop('validations.avatars', 'avatar-id-repeated'),
  'max-duration-too-short-rejected: Any positive duration is accepted.': drop(
    'validations.createSession',
    'duration-low',
  ),
  'max-duration-too-short-rejected~in-video: In video sessions any positive duration is taken.': unchecked(
    'video_avatar',
    ({ createSession }) => createSession['duration-low'],
  ),
  'max-duration-too-short-rejected~one-or-two: A duration of 1 or 2 seconds is taken.': except(
    'validations.createSession',
    'duration-low',
    (input) => [1, 2].includes(Number(input.body['max_duration_seconds'])),
  ),
  'max-duration-zero-rejected: A duration of 0 is accepted.': drop('validations.createSession', 'duration-zero'),
  'disconnected-timeout-out-of-range-rejected: Any disconnected timeout is accepted.': drop(
    'validations.createSession',
    'disconnected-low',
    'disconnected-high',
  ),
  'disconnected-timeout-out-of-range-rejected~in-video: In video sessions a disconnected timeout of 9 is taken.':
    unchecked('video_avatar', ({ createSession }) => createSession['disconnected-low']),
  'idle-timeout-out-of-range-rejected: Any idle timeout is accepted.': drop(
    'validations.createSession',
    'idle-low',
    'idle-high',
  ),
  'auto-close-above-duration-rejected: Timeouts may exceed the duration.': drop(
    'validations.createSession',
    'disconnected-over-duration',
    'idle-over-duration',
  ),
  'auto-close-above-duration-rejected~in-video: In video sessions an idle timeout may exceed the duration.': unchecked(
    'video_avatar',
    ({ createSession }) => createSession['idle-over-duration'],
  ),
  'region-echoed: The region is returned in capitals.': around(
    'create.region',
    (region) => (body) => region(body).toUpperCase(),
  ),
  'mode-default-session-omitted: Without a session the mode is text.': around(
    'create.mode',
    (mode) => (session) => (Object.keys(session).length === 0 ? 'text_chat' : mode(session)),
  ),
  'mode-default-mode-omitted: Without a mode beside other fields the mode is text.': around(
    'create.mode',
    (mode) => (session) =>
      Object.keys(session).length > 0 && session['mode'] === undefined ? 'text_chat' : mode(session),
  ),
  'source-images-empty-rejected: A video session may have no images.': except(
    'validations.createSession',
    'source-image-unresolved',
    (input) => input.active?.['visual'] !== undefined && imagesOf(input.active).length === 0,
  ),
  'default-source-image-unknown-rejected: An unknown default means the first image.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) => {
      const resolved = sourceImageId(session, avatar)
      if (session['source_image_id'] !== undefined || resolved === undefined || imageOf(avatar, resolved) !== undefined)
        return resolved
      return textOf(imagesOf(avatar)[0]?.['source_image_id'])
    },
  ),
  'default-source-image-unknown-rejected~other-avatar: A default image may be one of another avatar.': around(
    'validations.createSession.source-image-unresolved.broken',
    (broken) => (input) => {
      const { sourceImageId: id, active } = input
      if (!broken(input)) return false
      const foreign = id !== undefined && imageOf(active, id) === undefined
      return !(foreign && input.avatars.some((one) => imageOf(one, id) !== undefined))
    },
  ),
  'refused-leaves-no-session: A create without known model is refused and makes a session.': set(
    'create.makesRefused',
    (code) => code === '30004',
  ),
  'avatars-duplicate-id-rejected~apart: Only the ids of neighbours are compared.': except(
    'validations.avatars',
    'avatar-id-repeated',
    (input) =>
      !input.avatars.some(
        (avatar, place) => place > 0 && avatar['avatar_id'] === input.avatars[place - 1]?.['avatar_id'],
      ),
  ),
})
