import type { RestCall } from '#client/types'
import { textChat } from '#scenario/author/bodies'
import { scenario } from '#scenario/author/scenario'
import type { OperationId } from '#spec/tables'
import { at } from '#trace/json'
import { type KeyedRequest, expectRefused, rowsOfKeys } from './invalid-keys.ts'

/** The five character endpoints and Create Session from Character, for a character that a valid key has made. */
export const characters = scenario({
  id: 'authentication.characters',
  needs: { abilities: ['characters'] },
  claims: rowsOfKeys('characters', 'character-sessions'),
  price: { requests: { primary: 2 }, typical: 14 },
  async drive(c) {
    const character = () => textChat({ name: c.id('keyless') })
    const body = character()
    const { data, exchange: control } = await c.call('create-character', { body })
    const character_id = at(data, '/character_id')
    if (typeof character_id !== 'string') return c.block('prerequisite', 'no character was created')
    const params = { character_id }
    const request = (operation: OperationId, call: RestCall = {}): KeyedRequest<'characters'> => ({
      group: 'characters',
      operation,
      call,
      control,
    })
    const from = { character_id, idempotency_key: c.id('create') }
    await expectRefused(c, request('create-character', { body: character() }))
    await expectRefused(c, request('list-characters'))
    await expectRefused(c, request('get-character', { params }))
    await expectRefused(c, request('replace-character', { params, body }))
    await expectRefused(c, { ...request('create-session-from-character', { body: from }), group: 'character-sessions' })
    await expectRefused(c, request('delete-character', { params }))
  },
})
