import type { RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { answer, equals, value } from '#trace/conditions'
import { at } from '#trace/json'
import { world } from './bodies.ts'
import { type Door, rowsOf, withBadKey, withoutKey } from './knock.ts'

/** The four world session endpoints, for a session that a valid key has made. */
export const worldSessions: Scenario = {
  id: 'authentication.world-sessions',
  needs: { abilities: ['world_sessions'] },
  proves: rowsOf('world-sessions'),
  price: { requests: { primary: 3 }, typical: 11 },
  async drive(context: Context) {
    const twin = context.exchange()
    const made = await context.call('create-world-session', { exchange: twin, body: world(context.id('create')) })
    const session_id = at(made.data, '/session_id')
    if (typeof session_id !== 'string') context.block('prerequisite', 'no world session was created')
    const params = { session_id }
    const door = (operation: OperationId, call: RestCall = {}): Door => ({
      group: 'world-sessions',
      operation,
      call,
      twin,
    })
    const get = await settled(context, params)
    const doors: readonly Door[] = [
      door('create-world-session', { body: world(context.id('create')) }),
      door('get-world-session', { params }),
      // "For an active session" (4.5): before, its state may be the fault that is told.
      {
        ...door('create-client-secret', { params, body: {} }),
        clean: () => equals(answer(get, '/data/status'), value('active')),
      },
      door('close-world-session', { params }),
    ]
    for (const one of doors) {
      await withoutKey(context, one)
      await withBadKey(context, one)
    }
  },
}

/** Waits for the session to leave `provisioning`. @returns the exchange that showed how it stood last */
async function settled(context: Context, params: { readonly session_id: string }): Promise<number> {
  const deadline = performance.now() + context.timeouts.provisioning_ms
  for (let pause = 500; ; pause = Math.min(2 * pause, 5_000)) {
    const { exchange, data } = await context.call('get-world-session', { params })
    if (at(data, '/status') !== 'provisioning' || performance.now() + pause > deadline) return exchange
    await context.wait(pause, 'backoff')
  }
}
