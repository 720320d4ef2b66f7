import { append, around, remembering } from '#target/overrides/operators'
import { isWire } from '#target/wire'
import { DELETE, hiddenFrom } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'closes: Close finds no session from a character.': hiddenFrom('close-avatar-session'),
  'closes~deleted: Once a character is deleted, Get and Close find none of its sessions.': remembering(() => {
    const gone = new Set<unknown>()
    return [
      append('http.data', (data, operation) => {
        if (operation === DELETE && isWire(data)) gone.add(data['character_id'])
        return data
      }),
      around(
        'access.seesSession',
        (seesSession) => (session, operation) => seesSession(session, operation) && !gone.has(session.plan.characterId),
      ),
    ]
  }),
})
