import { set, around, several } from '#target/overrides/operators'
import { change, uuid } from '#target/overrides/changes'
import { onSavedConfiguration } from '#target/overrides/data'
import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { variationsOf } from '../table.ts'

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

/** 2.7: ids and statuses. */
export const characterIdentityVariations = variationsOf({
  'character-ids-uuid §2.7: What follows `chr_` is a UUID in capitals.': set(
    'characters.id',
    (random) => `chr_${uuid(random.hex(32)).toUpperCase()}`,
  ),
  'character-ids-odd §2.7: Ids of characters are long and hold what a URL must escape.': set(
    'characters.id',
    (random) => `chr_${random.hex(4)}+a b=:é/?#%${random.hex(150)}`,
  ),
  'characters-with-201 §7: A create, a replace and a start are answered with 201, a delete with 202.': {
    concerns: /character/,
    override: around('http.successStatus', (successStatus) => (operation) => {
      if (operation === 'delete-character') return 202
      return ['create-character', 'replace-character', 'create-session-from-character'].includes(operation)
        ? 201
        : successStatus(operation)
    }),
  },
})

/** 2.7: what is shown of a character. */
export const characterRecordVariations = variationsOf({
  'characters-rehosted §2.7: Source images are rehosted at each save, in another format ("the real image format").':
    around('characters.stored', (stored) => {
      let count = 0
      const rewritten = change('avatars.*.visual.source_images.*', (image) => {
        if (!isWire(image) || typeof image['url'] !== 'string') return image
        count += 1
        const url = `https://cdn.example.org/${count}/${encodeURIComponent(image['url'])}`
        return { ...image, url, media_type: 'image/webp' }
      })
      return (body, operation) => rewritten(stored(body, operation))
    }),
  'characters-filled §2.7: What a configuration omits comes back as it takes effect.': (behaviour) =>
    onSavedConfiguration((configuration) => filled(configuration, behaviour))(behaviour),
  'characters-heard-in-english §2.5: Where no language is saved, characters and sessions show the one that is recognized then.':
    {
      concerns: /character/,
      override: several(
        onSavedConfiguration((configuration) => ({
          ...configuration,
          conversation: inEnglish(objectAt(configuration, 'conversation')),
        })),
        around('create.conversation', (conversation) => (body) => inEnglish(conversation(body))),
      ),
    },
  'characters-named-fields-only §2.7: A character shows, and starts with, the fields that are named for it, and a saved delivery.':
    several(
      onSavedConfiguration((configuration) => only(configuration, NAMED)),
      around('characters.sessions.saved', (saved) => (character) => only(saved(character), [...NAMED, 'delivery'])),
    ),
  'characters-lavish §9: Characters and summaries tell of versions, owners and previews.': ({
    characters: { views },
  }) => {
    for (const fields of [views.full, views.summary]) {
      fields['status'] = () => 'stored'
      fields['version'] = ({ createdAt, updatedAt }) => updatedAt - createdAt + 1
      fields['owner'] = ({ account }) => ({ workspace_id: account.workspace })
      fields['deleted_at'] = () => null
    }
    views.summary['avatar_count'] = ({ configuration }) => objectsAt(configuration, 'avatars').length
    views.deletion['deleted_at'] = ({ updatedAt }) => views.timestamp(updatedAt)
  },
  'characters-shown-as-sessions §2.7: A character is shown in the form of a session, with empty texts and objects for what only a session has.':
    ({ characters: { views } }) => {
      const empty = { idempotency_key: '', session_id: '', region: '', recording_mode: '', control: {} }
      for (const [name, value] of Object.entries(empty)) views.full[name] = () => value
    },
  'characters-deleted-shown-whole §9: A delete answers with all that was known of the character, beside its status.': ({
    characters: { views },
  }) => {
    views.deletion = { ...views.full, ...views.deletion }
    for (const part of NAMED) views.deletion[part] = ({ configuration }) => configuration[part]
  },
  'characters-secrets-masked §2.7: Provider credentials of a character come back masked.': (behaviour) => {
    for (const path of SECRETS)
      onSavedConfiguration(change(path, (secret) => (secret === undefined ? undefined : '********')))(behaviour)
  },
  'characters-secrets-left-out §2.7: Provider credentials of a character do not come back.': (behaviour) => {
    for (const path of SECRETS) onSavedConfiguration(change(path, () => undefined))(behaviour)
  },
})

const only = (object: JsonObject, fields: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)))

/** The conversation with the language that a service takes for granted. */
function inEnglish(conversation: JsonObject): JsonObject {
  const transcription = objectAt(conversation, 'input_audio_transcription')
  return { ...conversation, input_audio_transcription: { enabled: false, language: 'en-US', ...transcription } }
}

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
    max_duration_seconds: configuration['max_duration_seconds'] ?? duration,
    auto_close: {
      disconnected_timeout_seconds: timeouts.disconnectedSeconds,
      interaction_idle_timeout_seconds: timeouts.idleSeconds,
      ...objectAt(configuration, 'auto_close'),
    },
  }
}
