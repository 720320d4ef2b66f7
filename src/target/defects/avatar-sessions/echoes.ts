import { change, drop, put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onCreated, onData } from '../tools.ts'

const GET = 'get-avatar-session'

const assetDefects = defectsOf('avatar-sessions', {
  'assets.returned': ['Assets are not returned.', (b) => onCreated(b, drop('assets'))],
  'assets.arrays': [
    'A kind of which no asset was sent is returned as an object.',
    (b) =>
      onCreated(
        b,
        change('assets', (assets) => ({ audio: {}, speech_text: {}, visual_prompts: {}, ...Object(assets) })),
      ),
  ],
  'assets.audio-echoed': [
    'Audio assets lose their type.',
    (b) =>
      onCreated(
        b,
        change('assets.audio.*.mime_type', () => undefined),
      ),
  ],
  'assets.audio-echoed~first': [
    'Only the first audio asset is returned.',
    (b) => onCreated(b, change('assets.audio', firstOf)),
  ],
  'assets.speech-text-echoed': [
    'Speech texts come back trimmed and lowered.',
    (b) =>
      onCreated(
        b,
        change('assets.speech_text.*.text', (text) => String(text).toLowerCase().trim()),
      ),
  ],
  'assets.visual-prompts-echoed': [
    'Visual prompts come back under `text`.',
    (b) =>
      onCreated(
        b,
        change('assets.visual_prompts.*', (asset) => {
          const { prompt, ...rest } = Object(asset)
          return { ...rest, text: prompt }
        }),
      ),
  ],
})

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, 1) : list)
const allButLast = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, -1) : list)

const conversationDefects = defectsOf('avatar-sessions', {
  'conversation.object': ['An empty conversation is left out.', (b) => onCreated(b, drop('conversation'))],
  'conversation.instructions-echoed': [
    'Instructions are not returned.',
    (b) => onCreated(b, drop('conversation.instructions')),
  ],
  'conversation.tools-echoed': [
    'Tools come back without parameters.',
    (b) => onCreated(b, drop('conversation.tools.*.parameters')),
  ],
  'conversation.tools-echoed~last': [
    'The last tool is lost.',
    (b) => onCreated(b, change('conversation.tools', allButLast)),
  ],
  'conversation.temperature-echoed': [
    'The temperature is rounded.',
    (b) =>
      onCreated(
        b,
        change('conversation.response_defaults.temperature', (value) =>
          typeof value === 'number' ? Math.round(value) + 1 : value,
        ),
      ),
  ],
  'conversation.max-output-tokens-echoed': [
    'The token maximum is raised.',
    (b) =>
      onCreated(
        b,
        change('conversation.response_defaults.max_output_tokens', (value) =>
          typeof value === 'number' ? value + 1 : value,
        ),
      ),
  ],
  'conversation.turn-detection-echoed': [
    'Turn detection is always manual, or never.',
    (b) =>
      onCreated(
        b,
        change('conversation.turn_detection.type', (type) => (type === 'manual' ? 'server_vad' : 'manual')),
      ),
  ],
  'conversation.transcription-enabled-echoed': [
    'The transcription switch is turned.',
    (b) =>
      onCreated(
        b,
        change('conversation.input_audio_transcription.enabled', (on) => on !== true),
      ),
  ],
  'conversation.transcription-language-echoed': [
    'The language comes back in its parts.',
    (b) =>
      onCreated(
        b,
        change('conversation.input_audio_transcription.language', (tag) => String(tag).split('-')),
      ),
  ],
})

const avatarDefects = defectsOf('avatar-sessions', {
  'avatars.array': [
    'Avatars come back by id.',
    (b) =>
      onCreated(
        b,
        change('avatars', (list) => ({ ...Object(list) })),
      ),
  ],
  'avatars.ids-echoed': [
    'Only the active avatar is returned.',
    ({ views }) => {
      views.created['avatars'] = ({ plan }) =>
        plan.avatars.filter((avatar) => avatar['avatar_id'] === plan.state.activeAvatarId)
    },
  ],
  'avatars.instructions-echoed': [
    'Instructions of avatars are not returned.',
    (b) => onCreated(b, drop('avatars.*.instructions')),
  ],
  'avatars.voice-echoed': [
    'Voices come back without speed and model.',
    (b) =>
      onCreated(
        b,
        change('avatars.*.voice', (voice) => (voice === undefined ? undefined : { provider: Object(voice).provider })),
      ),
  ],
  'avatars.source-images-echoed': [
    'The last source image is lost.',
    (b) => onCreated(b, change('avatars.*.visual.source_images', allButLast)),
  ],
  'avatars.source-image-url-echoed': [
    'Source images come with the name of a file in the place of their URL.',
    (b) => onCreated(b, replace('avatars.*.visual.source_images.*.url', 'rehosted.png')),
  ],
  'avatars.source-image-media-type-echoed': [
    'Source images are always PNG, or JPEG.',
    (b) =>
      onCreated(
        b,
        change('avatars.*.visual.source_images.*.media_type', (type) =>
          type === 'image/png' ? 'image/jpeg' : 'image/png',
        ),
      ),
  ],
  'avatars.source-image-description-echoed': [
    'Descriptions are not returned.',
    (b) => onCreated(b, drop('avatars.*.visual.source_images.*.description')),
  ],
  'avatars.default-source-image-id-echoed': [
    'The default image is not returned.',
    (b) => onCreated(b, drop('avatars.*.visual.default_source_image_id')),
  ],
  'avatars.visual-instructions-echoed': [
    'Visual instructions are not returned.',
    (b) => onCreated(b, drop('avatars.*.visual.instructions')),
  ],
})

const shownDefects = defectsOf('avatar-sessions', {
  'status.in-set-on-get': [
    'Get shows a status of its own.',
    (b) =>
      onData(
        b,
        GET,
        change('status', (status) => (status === 'active' ? 'running' : status)),
      ),
  ],
  'get.names-session': ['Get names another session.', (b) => onData(b, GET, put('session_id', 'ses_other'))],
  'get.agrees-with-create': [
    'Get shows another model.',
    (b) =>
      onData(
        b,
        GET,
        change('model', (model) => (model === 'svc-a1-stream' ? 'svc-a1-stream-lite' : 'svc-a1-stream')),
      ),
  ],
  'get.open-session-not-closed': [
    'Get shows an open session as closed.',
    (b) => onData(b, GET, put('status', 'closed')),
  ],
})

export const echoDefects = [...assetDefects, ...conversationDefects, ...avatarDefects, ...shownDefects]
