import type { Behaviour } from '#target/behaviour/behaviour'
import type { Character, Saved } from '#target/characters/character'
import { isWire, type Wire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'
import { refuseSave } from './tools.ts'

const REPLACE = 'replace-character'

/** Changes what a replace keeps. */
const keeping =
  (make: (old: Wire, next: Wire) => Wire) =>
  ({ characters }: Behaviour): void => {
    const { replaced } = characters
    characters.replaced = (old, next) => {
      const { name, configuration } = replaced(old, next)
      return { name, configuration: make(old.configuration, configuration) }
    }
  }

/** A field that is omitted stays. */
const staying = (field: string) => keeping((old, next) => (field in old ? { [field]: old[field], ...next } : next))

const merged = (old: unknown, next: unknown): unknown => (isWire(old) && isWire(next) ? { ...old, ...next } : next)

const byId = (avatars: Wire[], id: unknown): Wire | undefined => avatars.find((one) => one['avatar_id'] === id)

const writeDefects = defectsOf('characters', {
  'replace.accepted': ['A replace is refused.', (b) => refuseSave(b, REPLACE, () => true)],
  'replace.accepted~twice': [
    'A character can be replaced once.',
    ({ characters }) => {
      const { restamped, found } = characters
      const replaced = new Set<Character>()
      characters.restamped = (character, now) => {
        replaced.add(character)
        return restamped(character, now)
      }
      characters.found = (character, operation) =>
        found(character, operation) && !(operation === REPLACE && replaced.has(character))
    },
  ],
  'replace.returns-written': [
    'A replace returns the record as it was before.',
    (b) => {
      let before: Wire = {}
      const { replaced, views } = b.characters
      b.characters.replaced = (old, next) => {
        before = { name: old.name, ...views.configuration(old) }
        return replaced(old, next)
      }
      onData(b, REPLACE, ({ character_id, created_at, updated_at }) => ({
        character_id,
        created_at,
        updated_at,
        ...before,
      }))
    },
  ],
  'replace.stored': [
    'A replace shows what was sent, and keeps what was there.',
    (b) => {
      let sent: Saved | undefined
      b.characters.replaced = (old, next) => {
        sent = next
        return { name: old.name, configuration: old.configuration }
      }
      onData(b, REPLACE, (data) => ({ ...data, name: sent?.name, ...sent?.configuration }))
    },
  ],
  'replace.id-kept': [
    'A replace shows a new id.',
    (b) => onData(b, REPLACE, (data) => ({ ...data, character_id: `${String(data['character_id'])}2` })),
  ],
  'replace.name-replaced': [
    'A replace keeps the name.',
    ({ characters }) => {
      const { replaced } = characters
      characters.replaced = (old, next) => ({ ...replaced(old, next), name: old.name })
    },
  ],
  'replace.leaves-others': [
    'A replace writes the characters that were made before and after it, too.',
    ({ characters }) =>
      void (characters.alsoWrites = (character, all) =>
        all.filter(
          ({ account, serial }) => account === character.account && Math.abs(serial - character.serial) === 1,
        )),
  ],
  'replace.idempotency-key-not-saved': [
    'The idempotency key of a replace is saved.',
    ({ characters }) => {
      const { stored } = characters
      characters.stored = (body, operation) => {
        const { idempotency_key: key } = body
        return operation === REPLACE && key !== undefined
          ? { ...stored(body, operation), idempotency_key: key }
          : stored(body, operation)
      }
    },
  ],
})

const omittedDefects = defectsOf('characters', {
  'replace.output-gone': ['An output that is omitted stays.', staying('output')],
  'replace.pipeline-config-gone': ['A pipeline that is omitted stays.', staying('pipeline_config')],
  'replace.conversation-gone': ['A conversation that is omitted stays.', staying('conversation')],
  'replace.max-duration-gone': ['A duration that is omitted stays.', staying('max_duration_seconds')],
  'replace.auto-close-gone': ['Timeouts that are omitted stay.', staying('auto_close')],
  'replace.auto-close-gone~one': [
    'An idle timeout that is omitted stays.',
    keeping((old, next) => {
      const { interaction_idle_timeout_seconds: idle } = wireAt(old, 'auto_close')
      return idle === undefined
        ? next
        : { ...next, auto_close: { interaction_idle_timeout_seconds: idle, ...wireAt(next, 'auto_close') } }
    }),
  ],
  'replace.active-avatar-id-gone': [
    'An active avatar that is omitted stays.',
    keeping((old, next) => {
      const { active_avatar_id: active } = wireAt(old, 'session')
      return active === undefined
        ? next
        : { ...next, session: { active_avatar_id: active, ...wireAt(next, 'session') } }
    }),
  ],
  'replace.model-gone': ['A model that is omitted stays.', staying('model')],
  'replace.nested-gone': [
    'What a conversation omits stays.',
    keeping((old, next) => ({ ...next, conversation: merged(old['conversation'], next['conversation']) })),
  ],
  'replace.avatars-gone': [
    'Avatars that are omitted stay.',
    keeping((old, next) => {
      const avatars = wiresAt(next, 'avatars')
      const left = wiresAt(old, 'avatars').filter((one) => byId(avatars, one['avatar_id']) === undefined)
      return { ...next, avatars: [...avatars, ...left] }
    }),
  ],
  'replace.avatar-members-gone': [
    'What an avatar omits stays.',
    keeping((old, next) => {
      const known = wiresAt(old, 'avatars')
      const avatars = wiresAt(next, 'avatars').map((one) => ({ ...byId(known, one['avatar_id']), ...one }))
      return { ...next, avatars }
    }),
  ],
  'replace.omitted-gone-from-sessions': [
    'A start uses what a replace omitted.',
    ({ characters }) => {
      const history = new Map<string, Wire>()
      const { replaced, sessions } = characters
      const { saved } = sessions
      characters.replaced = (old, next) => {
        history.set(old.id, { ...history.get(old.id), ...old.configuration })
        return replaced(old, next)
      }
      sessions.saved = (character) => ({ ...history.get(character.id), ...saved(character) })
    },
  ],
})

const refusedDefects = defectsOf('characters', {
  'replace.unknown-rejected': [
    'A replace of an unknown character makes one.',
    ({ characters }) => void (characters.upserts = 'told'),
  ],
  'replace.unknown-creates-nothing': [
    'A replace of an unknown character is refused and makes one.',
    ({ characters }) => void (characters.upserts = 'untold'),
  ],
  'replace.refused-changes-nothing': [
    'A refused replace is written.',
    ({ characters }) => void (characters.writesRefused = (_code, operation) => operation === REPLACE),
  ],
  'replace.refused-changes-nothing~name': [
    'A refused replace writes the name.',
    ({ characters }) => {
      const { replaced } = characters
      let refused = false
      characters.writesRefused = (_code, operation) => {
        refused = operation === REPLACE
        return refused
      }
      characters.replaced = (old, next) => {
        const { configuration } = refused ? old : replaced(old, next)
        refused = false
        return { name: next.name, configuration }
      }
    },
  ],
  'replace.moderated-changes-nothing': [
    'A replace that moderation refuses is written.',
    ({ characters }) =>
      void (characters.writesRefused = (code, operation) => operation === REPLACE && code === '30001'),
  ],
})

export const replaceDefects = [...writeDefects, ...omittedDefects, ...refusedDefects]
