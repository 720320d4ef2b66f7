import { around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectsAt } from '#target/wire'
import { defectsOf } from '../../tools/table.ts'

/** Gives a session the avatars of the record. */
function takeOver(session: Session, configuration: JsonObject): void {
  session.avatars.splice(0, session.avatars.length, ...objectsAt(configuration, 'avatars'))
}

export const sessionDefects = defectsOf('characters.session', {
  'edit-leaves-running: A replace gives its avatars to running sessions.': set(
    'characters.reaches',
    (session, { configuration }) => {
      takeOver(session, configuration)
      return false
    },
  ),
  'edit-leaves-running-auto-close: A replace gives its timeouts to running sessions.': ({
    characters,
    create,
    limits,
  }) =>
    void (characters.reaches = (session, { configuration }) => {
      Object.assign(session.plan.autoClose, create.autoClose(configuration, limits, session.plan.maxDurationSeconds))
      return true
    }),
  'edit-applies-later: A start takes the configuration that was saved first.': remembering(() => {
    const first = new Map<string, JsonObject>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration)
        return replaced(old, next)
      }),
      around('characters.sessions.saved', (saved) => (character) => first.get(character.id) ?? saved(character)),
    ]
  }),
  'edit-applies-later~started: A start takes the configuration of the first start.': around(
    'characters.sessions.saved',
    (saved) => {
      const first = new Map<string, JsonObject>()
      return (character) => {
        const known = first.get(character.id) ?? saved(character)
        first.set(character.id, known)
        return known
      }
    },
  ),
})
