import type { Behaviour } from '#target/behaviour/behaviour'
import { change } from '#target/defects/paths'
import type { Variation } from '#target/deviation'
import { type Wire, wireAt, wiresAt } from '#target/wire'

/** What 2.7 names of a configuration. */
const NAMED = [
  'model',
  'session',
  'output',
  'pipeline_config',
  'avatars',
  'conversation',
  'max_duration_seconds',
  'auto_close',
]
const SECRETS = ['pipeline_config.tts_config.tts_api_key', 'pipeline_config.llm_config.llm_api_key']

/** Changes the configuration that is shown. */
function shown({ characters: { views } }: Behaviour, make: (configuration: Wire) => Wire): void {
  const { configuration } = views
  views.configuration = (character) => make(configuration(character))
}

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')

/** 2.7: ids and statuses. */
export const characterIdentityVariations: readonly Variation[] = [
  {
    id: 'character-ids-uuid',
    section: '2.7',
    text: 'What follows `chr_` is a UUID in capitals.',
    override: ({ characters }) => void (characters.id = (random) => `chr_${uuid(random.hex(32)).toUpperCase()}`),
  },
  {
    id: 'character-ids-odd',
    section: '2.7',
    text: 'Ids of characters are long and hold what a URL must escape.',
    override: ({ characters }) =>
      void (characters.id = (random) => `chr_${random.hex(4)}+a b=:é/?#%${random.hex(150)}`),
  },
  {
    id: 'characters-with-201',
    section: '7',
    text: 'A create, a replace and a start are answered with 201, a delete with 202.',
    concerns: /character/,
    override: ({ http }) => {
      const { successStatus } = http
      http.successStatus = (operation) => {
        if (operation === 'delete-character') return 202
        return ['create-character', 'replace-character', 'create-session-from-character'].includes(operation)
          ? 201
          : successStatus(operation)
      }
    },
  },
]

/** 2.7: what is shown of a character. */
export const characterRecordVariations: readonly Variation[] = [
  {
    id: 'characters-rehosted',
    section: '2.7',
    text: 'Source images are rehosted at each save.',
    override: ({ characters }) => {
      let count = 0
      const { stored } = characters
      const rewritten = change('avatars.*.visual.source_images.*.url', (url) => {
        count += 1
        return typeof url === 'string' ? `https://cdn.example.org/${count}/${encodeURIComponent(url)}` : url
      })
      characters.stored = (body, operation) => rewritten(stored(body, operation))
    },
  },
  {
    id: 'characters-filled',
    section: '2.7',
    text: 'What a configuration omits comes back as it takes effect.',
    override: (behaviour) => shown(behaviour, (configuration) => filled(configuration, behaviour)),
  },
  {
    id: 'characters-named-fields-only',
    section: '2.7',
    text: 'A character shows, and starts with, the fields that are named for it, and a saved delivery.',
    override: (behaviour) => {
      const { sessions } = behaviour.characters
      const { saved } = sessions
      shown(behaviour, (configuration) => only(configuration, NAMED))
      sessions.saved = (character) => only(saved(character), [...NAMED, 'delivery'])
    },
  },
  {
    id: 'characters-lavish',
    section: '9',
    text: 'Characters and summaries tell of versions, owners and previews.',
    override: ({ characters: { views } }) => {
      for (const fields of [views.full, views.summary]) {
        fields['status'] = () => 'stored'
        fields['version'] = ({ createdAt, updatedAt }) => updatedAt - createdAt + 1
        fields['owner'] = ({ account }) => ({ workspace_id: account.workspace })
        fields['deleted_at'] = () => null
      }
      views.summary['avatar_count'] = ({ configuration }) => wiresAt(configuration, 'avatars').length
      views.deletion['deleted_at'] = ({ updatedAt }) => views.timestamp(updatedAt)
    },
  },
  {
    id: 'characters-secrets-masked',
    section: '2.7',
    text: 'Provider credentials of a character come back masked.',
    override: (behaviour) => {
      for (const path of SECRETS)
        shown(
          behaviour,
          change(path, (secret) => (secret === undefined ? undefined : '********')),
        )
    },
  },
  {
    id: 'characters-secrets-left-out',
    section: '2.7',
    text: 'Provider credentials of a character do not come back.',
    override: (behaviour) => {
      for (const path of SECRETS)
        shown(
          behaviour,
          change(path, () => undefined),
        )
    },
  },
]

const only = (object: Wire, fields: string[]): Wire =>
  Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)))

/** "Effective values may be filled in." */
function filled(configuration: Wire, { create, limits }: Behaviour): Wire {
  const session = wireAt(configuration, 'session')
  const avatars = wiresAt(configuration, 'avatars')
  const duration = create.maxDuration(configuration, limits)
  const timeouts = create.autoClose(configuration, limits, duration)
  return {
    ...configuration,
    session: {
      mode: create.mode(session),
      active_avatar_id: create.activeAvatarId(session, avatars) ?? '',
      ...session,
    },
    avatars: avatars.map((avatar) => ({ instructions: '', ...avatar })),
    conversation: {
      instructions: '',
      tools: [],
      turn_detection: { type: 'manual', silence_duration_ms: 500 },
      input_audio_transcription: { enabled: false, language: 'auto' },
      ...wireAt(configuration, 'conversation'),
    },
    max_duration_seconds: duration,
    auto_close: {
      disconnected_timeout_seconds: timeouts.disconnectedSeconds,
      interaction_idle_timeout_seconds: timeouts.idleSeconds,
    },
  }
}
