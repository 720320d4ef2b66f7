import type { RestCall } from '#client/types'
import { world } from '#scenario/author/bodies'
import { poll } from '#scenario/author/poll'
import { scenario } from '#scenario/author/scenario'
import type { OperationId } from '#spec/tables'
import { answer, equals, value } from '#trace/conditions'
import { at } from '#trace/json'
import { type KeyedRequest, expectRefused, optionalKeys, rowsOfKeys } from './invalid-keys.ts'

/** The four world session endpoints, for a session that a valid key has made. */
export const worldSessions = scenario({
  id: 'authentication.world-sessions',
  needs: { abilities: ['world_sessions'] },
  claims: rowsOfKeys('world-sessions'),
  price: { requests: { primary: 3 }, typical: 11 },
  optional: optionalKeys(4, 'world-sessions'),
  async drive(c) {
    const minimal = () => world({ idempotency_key: c.id('create') })
    const { data, exchange: control } = await c.call('create-world-session', { body: minimal() })
    const session_id = at(data, '/session_id')
    if (typeof session_id !== 'string') return c.block('prerequisite', 'no world session was created')
    const params = { session_id }
    const request = (operation: OperationId, call: RestCall = {}): KeyedRequest<'world-sessions'> => ({
      group: 'world-sessions',
      operation,
      call,
      control,
    })
    const get = await poll(
      c,
      () => c.call('get-world-session', { params }),
      (shown) => at(shown.data, '/status') !== 'provisioning',
      { within_ms: c.timeouts.provisioning_ms, first: 500, longest: 5_000 },
    )
    await expectRefused(c, request('create-world-session', { body: minimal() }))
    await expectRefused(c, request('get-world-session', { params }))
    // "For an active session" (4.5): before, its state may be the fault that is told.
    const active = equals(answer(get.exchange, '/data/status'), value('active'))
    await expectRefused(c, { ...request('create-client-secret', { params, body: {} }), clean: () => active })
    await expectRefused(c, request('close-world-session', { params }))
  },
})
