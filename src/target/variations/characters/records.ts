import { set, around, several } from '#target/overrides/operators'
import { change } from '#target/overrides/changes'
import type { Override } from '#target/behaviour/behaviour'
import type { Behaviour } from '#target/behaviour/behaviour'
import type { Variation } from '#target/deviation'
import { type JsonObject, objectAt, objectsAt } from '#target/wire'

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
const shown = (make: (configuration: JsonObject) => JsonObject): Override =>
  around('characters.views.configuration', (configuration) => (character) => make(configuration(character)))

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')

/** 2.7: ids and statuses. */
export const characterIdentityVariations: readonly Variation[] = [
  {
    id: 'character-ids-uuid',
    section: '2.7',
    text: 'What follows `chr_` is a UUID in capitals.',
    override: set('characters.id', (random) => `chr_${uuid(random.hex(32)).toUpperCase()}`),
  },
  {
    id: 'character-ids-odd',
    section: '2.7',
    text: 'Ids of characters are long and hold what a URL must escape.',
    override: set('characters.id', (random) => `chr_${random.hex(4)}+a b=:é/?#%${random.hex(150)}`),
  },
  {
    id: 'characters-with-201',
    section: '7',
    text: 'A create, a replace and a start are answered with 201, a delete with 202.',
    concerns: /character/,
    override: around('http.successStatus', (successStatus) => (operation) => {
      if (operation === 'delete-character') return 202
      return ['create-character', 'replace-character', 'create-session-from-character'].includes(operation)
        ? 201
        : successStatus(operation)
    }),
  },
]

/** 2.7: what is shown of a character. */
export const characterRecordVariations: readonly Variation[] = [
  {
    id: 'characters-rehosted',
    section: '2.7',
    text: 'Source images are rehosted at each save.',
    override: around('characters.stored', (stored) => {
      let count = 0
      const rewritten = change('avatars.*.visual.source_images.*.url', (url) => {
        count += 1
        return typeof url === 'string' ? `https://cdn.example.org/${count}/${encodeURIComponent(url)}` : url
      })
      return (body, operation) => rewritten(stored(body, operation))
    }),
  },
  {
    id: 'characters-filled',
    section: '2.7',
    text: 'What a configuration omits comes back as it takes effect.',
    override: (behaviour) => shown((configuration) => filled(configuration, behaviour))(behaviour),
  },
  {
    id: 'characters-named-fields-only',
    section: '2.7',
    text: 'A character shows, and starts with, the fields that are named for it, and a saved delivery.',
    override: several(
      shown((configuration) => only(configuration, NAMED)),
      around('characters.sessions.saved', (saved) => (character) => only(saved(character), [...NAMED, 'delivery'])),
    ),
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
      views.summary['avatar_count'] = ({ configuration }) => objectsAt(configuration, 'avatars').length
      views.deletion['deleted_at'] = ({ updatedAt }) => views.timestamp(updatedAt)
    },
  },
  {
    id: 'characters-secrets-masked',
    section: '2.7',
    text: 'Provider credentials of a character come back masked.',
    override: (behaviour) => {
      for (const path of SECRETS)
        shown(change(path, (secret) => (secret === undefined ? undefined : '********')))(behaviour)
    },
  },
  {
    id: 'characters-secrets-left-out',
    section: '2.7',
    text: 'Provider credentials of a character do not come back.',
    override: (behaviour) => {
      for (const path of SECRETS) shown(change(path, () => undefined))(behaviour)
    },
  },
]

const only = (object: JsonObject, fields: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)))

/** "Effective values may be filled in." */
function filled(configuration: JsonObject, { create, limits }: Behaviour): JsonObject {
  const session = objectAt(configuration, 'session')
  const avatars = objectsAt(configuration, 'avatars')
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
      ...objectAt(configuration, 'conversation'),
    },
    max_duration_seconds: duration,
    auto_close: {
      disconnected_timeout_seconds: timeouts.disconnectedSeconds,
      interaction_idle_timeout_seconds: timeouts.idleSeconds,
    },
  }
}
