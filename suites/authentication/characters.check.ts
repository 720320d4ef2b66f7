import type { RestCall } from '#client/types'
import { textChat } from '#scenario/author/bodies'
import { outcome } from '#scenario/author/expectation'
import { either, twoLooks } from '#scenario/author/look-twice'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { OperationId } from '#spec/tables'
import { all, answer, different, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { type KeyedRequest, missingRows, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'

const kept = {
  missing: 'authentication.missing-key.leaves-character',
  invalid: 'authentication.invalid-key.leaves-character',
} as const

const invalid = 'errors.code-10003.key-invalid'
/** Those of the group alone. */
const isOwn = (row: string): boolean => row.startsWith('authentication.')

/** That a character was found. */
const isThere = (exchange: number) => different(answer(exchange, '/code'), value(20005))
/** That it does not bear the name of a replace that was refused. */
const isNot = (name: string) => (exchange: number) => different(answer(exchange, '/data/name'), value(name))

const badRows = [kept.invalid, 'authentication.invalid-key.characters', invalid] as const

/**
 * Deletes with a wrong key and then with the right one, which still finds the character. A proxy may send a DELETE again by
 * itself (RFC 9110, 9.2.2) and hand on that nothing was found then: where that comes, another character decides.
 */
const deleteBadly = step(badRows, async (c, request: KeyedRequest<'characters'>, body: () => JsonObject) => {
  const looks = twoLooks(c)
  c.claim(kept.invalid, either(looks, isThere))
  await withBadKey(c, request)
  const found = await c.call('delete-character', { ...request.call, exchange: looks[0] })
  if (found.code !== 20005) return
  const { data, exchange: control } = await c.call('create-character', { body: body() })
  const character_id = at(data, '/character_id')
  if (typeof character_id !== 'string') return
  const params = { character_id }
  await withBadKey(c, { ...request, call: { params }, control })
  await c.call('delete-character', { params, exchange: looks[1] })
})

/**
 * The five character endpoints and Create Session from Character, for a character that a valid key has made, and what
 * becomes of it meanwhile.
 */
export const characters = scenario({
  id: 'authentication.characters',
  needs: { abilities: ['characters'] },
  claims: [...rowsOfKeys('characters', 'character-sessions'), kept.missing, kept.invalid],
  price: { requests: { primary: 3 }, typical: 15 },
  optional: [
    { id: 'keyless', rows: [...missingRows('characters'), kept.missing], requests: 5 },
    { id: 'wrong', rows: [`authentication.invalid-key.characters`, kept.invalid], also: [invalid], requests: 5 },
    { id: 'start-keyless', rows: missingRows('character-sessions').filter(isOwn), requests: 1 },
    { id: 'start-wrong', rows: ['authentication.invalid-key.character-sessions'], also: [invalid], requests: 1 },
  ],
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
    const [keyless, wrong] = [c.id('without-key'), c.id('wrong-key')]
    const renamed = (name: string) => request('replace-character', { params, body: { ...body, name } })
    const doors = () => [
      request('create-character', { body: character() }),
      request('list-characters'),
      request('get-character', { params }),
    ]
    if (c.takes('keyless')) for (const door of [...doors(), renamed(keyless)]) await withoutKey(c, door)
    if (c.takes('wrong')) for (const door of [...doors(), renamed(wrong)]) await withBadKey(c, door)
    const start: KeyedRequest<'character-sessions'> = {
      ...request('create-session-from-character', { body: from }),
      group: 'character-sessions',
    }
    if (c.takes('start-keyless')) await withoutKey(c, start)
    if (c.takes('start-wrong')) await withBadKey(c, start)
    if (c.takes('keyless')) await withoutKey(c, request('delete-character', { params }))
    const left = (exchange: number) => all(isThere(exchange), isNot(keyless)(exchange))
    await c.call('get-character', {
      params,
      expect: [outcome(kept.missing, left), outcome(kept.invalid, isNot(wrong))],
    })
    if (!c.takes('wrong')) return void (await c.call('delete-character', { params }))
    await deleteBadly(c, request('delete-character', { params }), character)
  },
})
