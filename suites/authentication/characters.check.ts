import type { RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { at } from '#trace/json'
import { character } from './bodies.ts'
import { type Door, rowsOf, withBadKey, withoutKey } from './knock.ts'

/** The five character endpoints and Create Session from Character, for a character that a valid key has made. */
export const characters: Scenario = {
  id: 'authentication.characters',
  needs: { abilities: ['characters'] },
  proves: rowsOf('characters', 'character-sessions'),
  price: { requests: { primary: 2 }, typical: 14 },
  async drive(context: Context) {
    const twin = context.exchange()
    const body = character(context.id('keyless'))
    const made = await context.call('create-character', { exchange: twin, body })
    const character_id = at(made.data, '/character_id')
    if (typeof character_id !== 'string') context.block('prerequisite', 'no character was created')
    const params = { character_id }
    const door = (operation: OperationId, call: RestCall = {}): Door => ({ group: 'characters', operation, call, twin })
    const from = { character_id, idempotency_key: context.id('create') }
    const doors: readonly Door[] = [
      door('create-character', { body: character(context.id('keyless')) }),
      door('list-characters'),
      door('get-character', { params }),
      door('replace-character', { params, body }),
      { ...door('create-session-from-character', { body: from }), group: 'character-sessions' },
      door('delete-character', { params }),
    ]
    for (const one of doors) {
      await withoutKey(context, one)
      await withBadKey(context, one)
    }
  },
}
