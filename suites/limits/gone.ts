import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { textsIn } from '#trace/json'

const open = new Set(['active', 'closing'])
const over = new Set(['closed', 'failed'])
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
  const deadline = performance.now() + context.timeouts.closed_ms
  for (let round = 0, pause = 200; ; round += 1, pause = Math.min(2 * pause, 3_000)) {
    // Closing takes a moment: what asks at once asks twice.
    await context.wait(pause, 'backoff')
    const received = await context.call('get-avatar-session', { key: session.key, params })
    const state = stateIn(received)
    if (state === 'over') return true
    const late = performance.now() + pause > deadline
    if (state === 'unknown' && (late || round + 1 >= blind)) return false
    if (late) break
  }
  return context.block('prerequisite', `a session was not closed within ${context.timeouts.closed_ms} ms`)
}

/** What the answer shows anywhere in its data. */
function stateIn({ code, ok, data }: Exchange): 'over' | 'open' | 'unknown' {
  if (code === 20005) return 'over'
  const words = ok ? textsIn(data) : []
  if (words.some((word) => over.has(word))) return 'over'
  return words.some((word) => open.has(word)) ? 'open' : 'unknown'
}
