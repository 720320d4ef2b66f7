import { waive } from '#target/behaviour/rules/waive'
import { textOf, wireAt, wiresAt } from '#target/wire'
import { change, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'
import { letDuration, letThrough, onStart, refuseSave } from './tools.ts'

const CREATE = 'create-character'

const acceptDefects = defectsOf('characters', {
  'create.text-chat-accepted': [
    'A text chat cannot be saved.',
    (b) => refuseSave(b, CREATE, ({ mode }) => mode === 'text_chat'),
  ],
  'create.video-accepted': [
    'A character of video cannot be saved when it says that it is one.',
    (b) => refuseSave(b, CREATE, ({ session }) => session['mode'] === 'video_avatar'),
  ],
  'create.default-mode-video-accepted': [
    'A save needs a session.',
    (b) => {
      for (const operation of [CREATE, 'replace-character'] as const)
        refuseSave(b, operation, ({ body }) => body['session'] === undefined)
    },
  ],
  'create.default-mode-video-accepted~create': [
    'A create needs a session.',
    (b) => refuseSave(b, CREATE, ({ body }) => body['session'] === undefined),
  ],
  'create.output-unneeded-in-text-chat': [
    'A text chat needs an output.',
    (b) => refuseSave(b, CREATE, ({ mode, body }) => mode === 'text_chat' && body['output'] === undefined),
  ],
  'create.model-lite-accepted': [
    '`svc-a1-stream-lite` cannot be saved.',
    (b) => refuseSave(b, CREATE, ({ body }) => body['model'] === 'svc-a1-stream-lite'),
  ],
  'create.several-avatars-accepted': [
    'A character has one avatar.',
    (b) => refuseSave(b, CREATE, ({ avatars }) => avatars.length > 1),
  ],
  'create.starts-no-session': [
    'A create tells of a session.',
    (b) => onData(b, CREATE, put('session_id', 'ses_of_a_character')),
  ],
  'create.holds-no-quota': [
    'Each character takes a slot of its workspace.',
    ({ characters, quota }) => {
      const saved = new Map<string, number>()
      const { id } = characters
      const { cap } = quota
      characters.id = (random, account, given) => {
        saved.set(account.workspace, (saved.get(account.workspace) ?? 0) + 1)
        return id(random, account, given)
      }
      quota.cap = (account, configured) => cap(account, configured) - (saved.get(account.workspace) ?? 0)
    },
  ],
  'create.returned-by-get': [
    'Get returns another name than was saved.',
    (b) =>
      onData(
        b,
        'get-character',
        change('name', (name) => `${String(name)} (saved)`),
      ),
  ],
  'create.same-body-other-character': [
    'A character is known by its name.',
    ({ characters }) =>
      void (characters.id = (_random, { workspace }, { name }) =>
        `chr_${Buffer.from(`${workspace} ${name}`).toString('hex')}`),
  ],
  'create.refused-leaves-no-character': [
    'A refused create is written.',
    ({ characters }) => void (characters.writesRefused = (_code, operation) => operation === CREATE),
  ],
})

/** Faults that are refused "on save or at the latest when a session is started". */
const lateDefects = defectsOf('characters', {
  'create.active-avatar-ambiguous-refused': [
    'Of several avatars the first is active.',
    (b) => {
      letThrough(b, 'session', 'active-avatar-ambiguous')
      onStart(b, (body) => {
        const [first] = wiresAt(body, 'avatars')
        const session = wireAt(body, 'session')
        const active = session['active_avatar_id'] ?? textOf(first?.['avatar_id'])
        return { ...body, session: { ...session, active_avatar_id: active } }
      })
    },
  ],
  'create.model-unknown-refused': ['Any model is saved and run.', (b) => letThrough(b, 'session', 'model-unsupported')],
  'create.resolution-unknown-refused': [
    'Any resolution is saved and rendered.',
    (b) => letThrough(b, 'session', 'resolution-unsupported'),
  ],
  'create.mode-unknown-refused': ['An unknown mode means text.', (b) => letThrough(b, 'session', 'mode-unknown')],
  'create.source-image-unresolvable-refused': [
    'A character may have no image to render.',
    (b) => letThrough(b, 'session', 'source-image-unresolved'),
  ],
  'create.source-image-unknown-refused': [
    'An unknown image is saved and rendered.',
    (b) => letThrough(b, 'session', 'source-image-unknown'),
  ],
  'create.tool-name-missing-refused': [
    'A tool may have no name.',
    (b) => letThrough(b, 'conversation', 'tool-name-missing'),
  ],
  'create.temperature-out-of-range-refused': [
    'Any temperature will do.',
    (b) => letThrough(b, 'conversation', 'temperature-low', 'temperature-high'),
  ],
  'create.tts-config-missing-refused': [
    'A pipeline may have no voice.',
    (b) => letThrough(b, 'pipeline', 'tts-missing'),
  ],
  'create.tts-voice-id-empty-refused': [
    'A voice id may be empty.',
    (b) => letThrough(b, 'pipeline', 'tts-voice-empty'),
  ],
  'create.source-image-id-duplicate-refused': [
    'Images of an avatar may share an id.',
    (b) => letThrough(b, 'avatars', 'source-image-id-repeated'),
  ],
  'create.media-type-not-image-refused': [
    'A source image may be a video.',
    (b) => letThrough(b, 'avatars', 'media-type-not-image'),
  ],
  'create.voice-incomplete-refused': [
    'A voice may be incomplete.',
    (b) => letThrough(b, 'avatars', 'voice-provider-missing', 'voice-id-missing', 'voice-model-missing'),
  ],
})

const durationDefects = defectsOf('characters', {
  'max-duration.create-three-rejected': [
    'Three seconds can be saved.',
    ({ rules }) => letDuration(rules.character.session, 'duration-low'),
  ],
  'max-duration.create-four-accepted': [
    'Four seconds cannot be saved.',
    (b) => refuseSave(b, CREATE, ({ body }) => body['max_duration_seconds'] === 4),
  ],
  'max-duration.create-zero-rejected': [
    'A duration of 0 means none.',
    ({ rules }) => letDuration(rules.character.session, 'duration-zero'),
  ],
  'max-duration.create-negative-rejected': [
    'A negative duration can be saved.',
    ({ rules }) => letDuration(rules.character.session, 'duration-negative'),
  ],
  'max-duration.create-beyond-int32-rejected': [
    'Any long duration can be saved.',
    ({ rules }) => waive(rules.character.session, 'duration-high'),
  ],
  'max-duration.omitted-accepted': [
    'A duration must be saved.',
    (b) => refuseSave(b, CREATE, ({ body }) => body['max_duration_seconds'] === undefined),
  ],
  'max-duration.replace-three-rejected': [
    'Three seconds can replace another duration.',
    ({ rules }) => letDuration(rules.replacement.session, 'duration-low'),
  ],
  'max-duration.replace-four-accepted': [
    'Four seconds cannot replace another duration.',
    (b) => refuseSave(b, 'replace-character', ({ body }) => body['max_duration_seconds'] === 4),
  ],
  'max-duration.replace-zero-rejected': [
    'A duration of 0 can replace another.',
    ({ rules }) => letDuration(rules.replacement.session, 'duration-zero'),
  ],
})

export const characterCreateDefects = [...acceptDefects, ...lateDefects, ...durationDefects]
