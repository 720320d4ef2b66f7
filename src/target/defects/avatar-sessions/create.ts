import type { CreateInput } from '#target/behaviour/rules/create-session'
import { waive } from '#target/behaviour/rules/waive'
import { defectsOf } from '../table.ts'
import { refuseCreate, sent } from '../tools.ts'

const outputIs = (input: CreateInput, name: string, value: string): boolean =>
  input.mode === 'video_avatar' && sent(input, 'output', name) === value

const acceptDefects = defectsOf('avatar-sessions', {
  'create.minimal-text-chat-accepted': [
    'A text chat needs a conversation.',
    (b) => refuseCreate(b, (input) => input.mode === 'text_chat' && input.body['conversation'] === undefined),
  ],
  'create.minimal-video-accepted': [
    'A video session needs a delivery.',
    (b) => refuseCreate(b, (input) => input.mode === 'video_avatar' && input.body['delivery'] === undefined),
  ],
  'create.model-stream-accepted': [
    '`svc-a1-stream` is unknown.',
    ({ create }) => void (create.models = ['svc-a1-stream-lite']),
  ],
  'create.model-lite-accepted': [
    '`svc-a1-stream-lite` is unknown.',
    ({ create }) => void (create.models = ['svc-a1-stream']),
  ],
  'create.region-unknown-accepted': [
    'An unknown region is refused.',
    (b) =>
      refuseCreate(
        b,
        ({ body }) =>
          typeof body['region'] === 'string' && !/^(?:us|eu|ap|cn)(?:-[a-z]+)?(?:-\d)?$/u.test(body['region']),
      ),
  ],
  'create.recording-on-accepted': [
    'Whoever switches recording on is told that the parameter is invalid.',
    (b) => refuseCreate(b, ({ body }) => body['recording_mode'] === 'on', '20004'),
  ],
  'create.recording-off-accepted': [
    'Recording cannot be switched off.',
    ({ create }) => void (create.recordingModes = ['on']),
  ],
  'create.resolution-480p-accepted': [
    '480p is an invalid parameter.',
    (b) => refuseCreate(b, (input) => outputIs(input, 'resolution', '480p'), '20004'),
  ],
  'create.resolution-720p-accepted': [
    '720p is an invalid parameter.',
    (b) => refuseCreate(b, (input) => outputIs(input, 'resolution', '720p'), '20004'),
  ],
  'create.aspect-ratio-9-16-accepted': [
    '9:16 is an invalid parameter.',
    (b) => refuseCreate(b, (input) => outputIs(input, 'aspect_ratio', '9:16'), '20004'),
  ],
  'create.aspect-ratio-1-1-accepted': [
    '1:1 is an invalid parameter.',
    (b) => refuseCreate(b, (input) => outputIs(input, 'aspect_ratio', '1:1'), '20004'),
  ],
  'create.aspect-ratio-16-9-accepted': [
    '16:9 is an invalid parameter.',
    (b) => refuseCreate(b, (input) => outputIs(input, 'aspect_ratio', '16:9'), '20004'),
  ],
  'create.avatars-several-accepted': [
    'A session has one avatar.',
    (b) => refuseCreate(b, (input) => input.avatars.length > 1),
  ],
  'create.max-duration-minimum-accepted': [
    'The minimum is ten seconds.',
    ({ limits }) => void (limits.maxDurationMinimum = 10),
  ],
  'create.disconnected-timeout-optional': [
    'A disconnected timeout is required.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', 'disconnected_timeout_seconds') === undefined),
  ],
  'create.output-ignored-in-text-chat': [
    'A text chat must have no output.',
    (b) => refuseCreate(b, ({ mode, body }) => mode === 'text_chat' && body['output'] !== undefined),
  ],
  'create.output-unsupported-ignored-in-text-chat': [
    'The output of a text chat is validated.',
    (b) =>
      refuseCreate(
        b,
        (input) =>
          input.mode === 'text_chat' &&
          input.body['output'] !== undefined &&
          !['480p', '720p'].includes(String(sent(input, 'output', 'resolution'))),
      ),
  ],
  'create.transport-unused-in-text-chat': [
    'A text chat must have no delivery.',
    (b) => refuseCreate(b, ({ mode, body }) => mode === 'text_chat' && body['delivery'] !== undefined),
  ],
})

const refuseDefects = defectsOf('avatar-sessions', {
  'create.model-missing-rejected': [
    'The model has a default.',
    ({ rules }) => waive(rules.createSession, 'model-missing'),
  ],
  'create.model-unknown-rejected': [
    'Any model is accepted.',
    ({ rules }) => waive(rules.createSession, 'model-unsupported'),
  ],
  'create.recording-unknown-rejected': [
    'Any recording mode is accepted.',
    ({ rules }) => waive(rules.createSession, 'recording-mode-unknown'),
  ],
  'create.mode-unknown-rejected': [
    'An unknown mode means text.',
    ({ rules, create }) => {
      waive(rules.createSession, 'mode-unknown')
      const { mode } = create
      create.mode = (session) => (mode(session) === 'video_avatar' ? 'video_avatar' : 'text_chat')
    },
  ],
  'create.output-missing-rejected': [
    'A video session needs no output when it says that it is one.',
    ({ rules }) => {
      const rule = rules.createSession['output-missing']
      const { broken } = rule
      rule.broken = (input) => broken(input) && input.session['mode'] === undefined
    },
  ],
  'create.output-missing-default-mode-rejected': [
    'A session of the default mode needs no output.',
    ({ rules }) => {
      const rule = rules.createSession['output-missing']
      const { broken } = rule
      rule.broken = (input) => broken(input) && input.session['mode'] !== undefined
    },
  ],
  'create.resolution-unknown-rejected': [
    'Any resolution is accepted.',
    ({ rules }) => waive(rules.createSession, 'resolution-unsupported'),
  ],
  'create.aspect-ratio-nonsense-rejected': [
    'Any aspect ratio is accepted.',
    ({ rules }) => waive(rules.createSession, 'aspect-ratio-unsupported'),
  ],
  'create.avatars-missing-rejected': [
    'Avatars are optional.',
    ({ rules, create }) => {
      waive(rules.avatars, 'avatars-missing')
      const { avatars } = create
      create.avatars = (body) => (body['avatars'] === undefined ? [{ avatar_id: 'default' }] : avatars(body))
    },
  ],
  'create.avatars-empty-rejected': [
    'Avatars may be empty.',
    ({ rules, create }) => {
      waive(rules.avatars, 'avatars-empty')
      const { avatars } = create
      create.avatars = (body) =>
        Array.isArray(body['avatars']) && body['avatars'].length === 0 ? [{ avatar_id: 'default' }] : avatars(body)
    },
  ],
  'create.avatars-duplicate-id-rejected': [
    'Avatars may share an id.',
    ({ rules }) => waive(rules.avatars, 'avatar-id-repeated'),
  ],
  'create.transport-unknown-rejected': [
    'An unknown transport means rtc_a.',
    ({ rules, create }) => {
      waive(rules.createSession, 'transport-unknown')
      const { transport } = create
      create.transport = (body) => (transport(body) === 'rtc_b' ? 'rtc_b' : 'rtc_a')
    },
  ],
  'create.max-duration-too-short-rejected': [
    'Any positive duration is accepted.',
    ({ rules }) => waive(rules.createSession, 'duration-low'),
  ],
  'create.max-duration-zero-rejected': [
    'A duration of 0 is accepted.',
    ({ rules }) => waive(rules.createSession, 'duration-zero'),
  ],
  'create.disconnected-timeout-out-of-range-rejected': [
    'Any disconnected timeout is accepted.',
    ({ rules }) => waive(rules.createSession, 'disconnected-low', 'disconnected-high'),
  ],
  'create.idle-timeout-out-of-range-rejected': [
    'Any idle timeout is accepted.',
    ({ rules }) => waive(rules.createSession, 'idle-low', 'idle-high'),
  ],
  'create.auto-close-above-duration-rejected': [
    'Timeouts may exceed the duration.',
    ({ rules }) => waive(rules.createSession, 'disconnected-over-duration', 'idle-over-duration'),
  ],
})

export const createDefects = [...acceptDefects, ...refuseDefects]
