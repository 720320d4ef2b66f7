import type { Behaviour } from '#target/behaviour/behaviour'
import type { Character } from '#target/characters/character'
import { isWire, type Wire } from '#target/wire'
import { isStarted, START } from '../characters/tools.ts'
import { defectsOf } from '../table.ts'

/** Adds a word to the key of a start. */
function onKey(
  { idempotency, characters: { sessions } }: Behaviour,
  word: (sent: Wire, character: Character | undefined) => unknown,
): void {
  let added: unknown
  const { named: find } = sessions
  const { named } = idempotency
  sessions.named = (sent, own) => {
    const id = find(sent, own)
    added = word(
      sent,
      own.find((one) => one.id === id),
    )
    return id
  }
  idempotency.named = (operation, key) =>
    operation === START ? `${named(operation, key)}\n${String(added)}` : named(operation, key)
}

const startDefects = defectsOf('characters', {
  'session.retry-same-session~replaced': [
    'The key of a start is forgotten once its character was replaced.',
    (behaviour) => onKey(behaviour, (_sent, character) => character?.updatedAt),
  ],
  'session.retry-same-session~output-sent': [
    'The key of a start with an output does not count.',
    (behaviour) => {
      let count = 0
      onKey(behaviour, ({ output }) => {
        if (output === undefined) return ''
        count += 1
        return count
      })
    },
  ],
  'session.overrides-not-kept~delivery': [
    'The delivery of one start is in force for the next.',
    ({ characters: { sessions } }) => {
      const kept = new Map<string, Wire>()
      const { saved } = sessions
      sessions.saved = (character) => {
        const delivery = kept.get(character.id)
        return delivery === undefined ? saved(character) : { ...saved(character), delivery }
      }
      sessions.touches = ({ id }, { delivery }) => {
        if (isWire(delivery)) kept.set(id, delivery)
      }
    },
  ],
})

const slotDefects = defectsOf('limits', {
  'concurrency.character-sessions-count~deleted': [
    'Sessions whose character was deleted take no slot.',
    ({ characters, quota }) => {
      const gone = new Set<string | undefined>()
      const { deleted } = characters
      const { holds } = quota
      characters.deleted = (character) => {
        gone.add(character.id)
        deleted(character)
      }
      quota.holds = (session) => holds(session) && !(isStarted(session) && gone.has(session.plan.characterId))
    },
  ],
})

export const subtleStartDefects = [...startDefects, ...slotDefects]
