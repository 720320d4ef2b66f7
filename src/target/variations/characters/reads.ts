import { set, around, remembering, several } from '#target/overrides/operators'
import type { Character } from '#target/characters/character'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Override } from '#target/behaviour/behaviour'
import { demand } from '#target/behaviour/validations/waive'
import { Refusal } from '#target/refusal'
import { type JsonObject, objectAt } from '#target/wire'
import { variationsOf } from '../table.ts'

/** How far lists and reads are behind. */
const LATE_MS = 1_200

const GET = 'get-character'
const START = 'create-session-from-character'

/** 4.2: "`conversation` holds `tools`, `turn_detection`, `input_audio_transcription`." */
const KEPT = ['tools', 'turn_detection', 'input_audio_transcription']

const keptOf = (conversation: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(conversation).filter(([name]) => KEPT.includes(name)))

/** What stood in a record before it was written last, and when that was. */
interface Old {
  readonly record: Character
  readonly until: number
}

/** Refuses what 4.2 does not name of `conversation`, when it looks at this group of validations. */
const takesThree =
  (group: 'session' | 'name'): Override =>
  ({ validations }) => {
    for (const table of [validations.character, validations.replacement])
      demand(
        table[group],
        'conversation-member-unknown',
        validation('4.2', 'conversation', ({ body }) =>
          Object.keys(objectAt(body, 'conversation')).some((name) => !KEPT.includes(name)),
        ),
      )
  }

/** Refuses a body whose idempotency key came before with another one, which may itself have been refused. */
const holdsKeys: Override = ({ validations }) => {
  const bodies = new Map<unknown, string>()
  for (const table of [validations.character, validations.replacement])
    demand(
      table.name,
      'key-of-another-body',
      validation('4.2', 'idempotency_key', ({ body }) => {
        const [key, text] = [body['idempotency_key'], JSON.stringify(body)]
        if (key === undefined) return false
        const first = bodies.get(key) ?? text
        bodies.set(key, first)
        return first !== text
      }),
    )
}

/** 4.2: where lists and reads come from, and what a save keeps of `conversation`. */
export const characterReadVariations = variationsOf({
  'character-lists-late §4.2: List Characters is more than a second behind creates, replaces and deletes (nothing promises read-after-write).':
    ({ characters }) => {
      const olds = new Map<string, Old>()
      const deletes = new Map<string, number>()
      const { replaced, deleted, list, views } = characters
      characters.replaced = (old, next) => {
        olds.set(old.id, { record: { ...old }, until: Date.now() + LATE_MS })
        return replaced(old, next)
      }
      characters.deleted = (character) => {
        deletes.set(character.id, Date.now() + LATE_MS)
        deleted(character)
      }
      list.lists = ({ id, createdAt, deleted: gone }) =>
        Date.now() >= createdAt + LATE_MS && (!gone || Date.now() < (deletes.get(id) ?? 0))
      const shownOf = (character: Character): Character => {
        const old = olds.get(character.id)
        return old !== undefined && Date.now() < old.until ? old.record : character
      }
      for (const [name, field] of Object.entries(views.summary))
        views.summary[name] = (character) => field(shownOf(character))
    },
  'character-gets-late §4.2: Get finds a deleted character for another second (nothing promises read-after-write).':
    remembering(() => {
      const deletes = new Map<string, number>()
      return [
        around('characters.deleted', (deleted) => (character) => {
          deletes.set(character.id, Date.now() + LATE_MS)
          deleted(character)
        }),
        around(
          'characters.found',
          (found) => (character, operation) =>
            found(character, operation) || (operation === GET && Date.now() < (deletes.get(character.id) ?? 0)),
        ),
      ]
    }),
  'characters-touched-by-use §2.7: Reading a character and starting a session from it move `updated_at` (what moves it is not said).':
    around('characters.found', (found) => (character, operation) => {
      const there = found(character, operation)
      if (there && (operation === GET || operation === START)) character.updatedAt = Date.now()
      return there
    }),
  'characters-keep-three-of-conversation §4.2: A character keeps of `conversation` what is named for it: tools, turn detection and transcription.':
    around('characters.stored', (stored) => (body, operation) => {
      const saved = stored(body, operation)
      return 'conversation' in saved ? { ...saved, conversation: keptOf(objectAt(saved, 'conversation')) } : saved
    }),
  'characters-take-three-of-conversation §4.2: A save that holds more of `conversation` than tools, turn detection and transcription is refused.':
    takesThree('session'),
  'characters-take-three-first §4.2: A save that holds more of `conversation` than tools, turn detection and transcription is refused, before anything else is looked at.':
    takesThree('name'),
  'characters-hold-keys §4.2: Characters know the idempotency keys of their saves, refused ones among them, and refuse another body; what is not named of `conversation` is refused, too.':
    several(holdsKeys, takesThree('session')),
  'character-ids-looked-at-first §7: An id that does not begin with `chr_` is an invalid parameter (20005 is for what is not found).':
    set('characters.madeUp', (id) => {
      if (!id.startsWith('chr_')) throw new Refusal('20004', 'character_id')
      return undefined
    }),
  'starts-cap-timeouts §2.1: A session from a character waits for two minutes at most, and by default, and says so ("Effective policy").':
    around('characters.sessions.body', (body) => (saved, sent, combination) => {
      const create = body(saved, sent, combination)
      const capped = Object.entries(objectAt(create, 'auto_close')).map(([name, seconds]) => [
        name,
        typeof seconds === 'number' ? Math.min(seconds, 120) : seconds,
      ])
      return { ...create, auto_close: { disconnected_timeout_seconds: 120, ...Object.fromEntries(capped) } }
    }),
})
