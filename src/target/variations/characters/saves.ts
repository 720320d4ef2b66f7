import { around, remembering, set, several } from '#target/overrides/operators'
import type { Behaviour } from '#target/behaviour/behaviour'
import { MODERATED_TEXT } from '#target/behaviour/characters/records'
import { validation } from '#target/behaviour/validations/input-validation'
import { demand } from '#target/behaviour/validations/waive'
import { objectAt, objectsAt } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** The two operations that save. */
const SAVES = ['create-character', 'replace-character']
const saveTables = ({ validations }: Behaviour) => [validations.character, validations.replacement]

/** 4.2: what a save takes and refuses. */
export const characterSaveVariations = variationsOf({
  'characters-replaced-by-the-same §2.7: A replace with what is stored already leaves `updated_at` as it is.': ({
    characters,
  }) => {
    const { replaced, restamped } = characters
    let changes = true
    characters.replaced = (old, next) => {
      const { name, configuration } = old
      changes = JSON.stringify({ name, configuration }) !== JSON.stringify(next)
      return replaced(old, next)
    }
    characters.restamped = (old, now) => (changes ? restamped(old, now) : restamped(old, old.updatedAt))
  },
  'characters-need-model §4.2: A character without model is not saved.': (behaviour) => {
    for (const { session } of saveTables(behaviour))
      demand(
        session,
        'model-missing',
        validation('4.2', 'model', ({ body }) => body['model'] === undefined),
      )
  },
  'characters-refused-late §4.2: What only a session needs is looked at when one is started.': (behaviour) => {
    for (const tables of saveTables(behaviour)) lookLater(tables)
  },
  'characters-need-standing §5: Saving, too, asks for access, billing and balance.': {
    concerns: /character/,
    override: several(
      around('access.gated', (gated) => [...gated, ...SAVES]),
      around('access.granted', (granted) => [...granted, ...SAVES]),
    ),
  },
  'characters-other-codes §7: Faults of a save that have no code of their own are answered with 20004.': (
    behaviour,
  ) => {
    for (const tables of saveTables(behaviour))
      for (const table of Object.values(tables)) for (const one of Object.values(table)) one.code ??= '20004'
  },
  'characters-moderated-at-times §4.2: Moderation rejects every 41st save (what it rejects is not said).': remembering(
    () => {
      const isOne = everyNth(41, 0)
      return around('characters.moderatedTexts', (texts) => (body) => (isOne() ? [MODERATED_TEXT] : texts(body)))
    },
  ),
  'characters-moderated-narrowly §4.2: Moderation reads names and instructions, and nothing else.': set(
    'characters.moderatedTexts',
    (body) =>
      [body, objectAt(body, 'conversation'), ...objectsAt(body, 'avatars')].flatMap(({ name, instructions }) => [
        String(name),
        String(instructions),
      ]),
  ),
})

type SaveTables = Behaviour['validations']['character']

/** 4.2 and 7 name what a save refuses; the rest may wait until a session is created (4.1). */
function lookLater({ avatars, session, assets, conversation, pipeline }: SaveTables): void {
  for (const table of [assets, conversation, pipeline])
    for (const one of Object.values<{ broken: (input: never) => boolean }>(table)) one.broken = () => false
  for (const one of Object.values(avatars)) if (one.code === undefined) one.broken = () => false
  for (const [id, one] of Object.entries(session))
    if (one.code === undefined && !id.startsWith('duration')) one.broken = () => false
}
