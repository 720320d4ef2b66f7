import type { Exchange } from '#client/types'
import { stateIn } from '#judge/sessions/session-end'
import { watchFactor } from '#judge/timing/timeouts'
import type { Context, OpenSession } from '#scenario/author/context'

/** How often Get is asked where it tells no status. */
const blind = 4

/**
 * Waits until a session that was closed is over: only then its place must be free.
 *
 * @returns whether Get said so; its payload is not shown, so a target may well tell nothing.
 * @throws Blocked when it says something else for too long
 */
export async function gone(context: Context, session: OpenSession): Promise<boolean> {
  const params = { session_id: session.id }
  // What has not come by its deadline may come late: once more as long.
  const within_ms = watchFactor * context.timeouts.closed_ms
  const deadline = performance.now() + within_ms
  for (let round = 0, pause = 200; ; round += 1, pause = Math.min(2 * pause, 3_000)) {
    // Closing takes a moment: what asks at once asks twice.
    await context.wait(pause, 'backoff')
    const received = await context.call('get-avatar-session', { key: session.key, params })
    const sight = sightOf(received, session)
    if (sight === 'over') return true
    const late = performance.now() + pause > deadline
    if (sight === 'unknown' && (late || round + 1 >= blind)) return false
    if (late) break
  }
  return context.block('prerequisite', `a session was not closed within ${within_ms} ms`)
}

/** Whether the answer to a Get says that the session is over. */
export const isOver = (received: Exchange, session: OpenSession): boolean => sightOf(received, session) === 'over'

/** What the answer says of the session, if anything. */
function sightOf({ code, ok, data }: Exchange, { id }: OpenSession): 'over' | 'open' | 'unknown' {
  if (code === 20005) return 'over'
  const state = ok ? stateIn(data, id) : undefined
  if (state === undefined) return 'unknown'
  return state === 'closed' || state === 'failed' ? 'over' : 'open'
}
