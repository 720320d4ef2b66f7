import { requestOf } from './model-script.ts'
import type { Response } from './model-responses.ts'
import type { Passed, Sent } from './model-sessions.ts'

/** Events of other connections may be handled in another order than they were sent in, in milliseconds. */
const raceMs = 2_000

/** What we sent that may cut a response short, between its request and its end. */
export function cutsOf(response: Response): readonly Sent[] {
  const { sent } = response.connection.session
  const from = startOf(response)
  const end = response.done[0]?.line ?? Number.POSITIVE_INFINITY
  const { request } = response.origin
  return sent.filter((one) => {
    if (one === request?.sent || one.line > end || !mayCut(one)) return false
    return one.line > from.line || (one.connection !== from.connection && one.t > from.t - raceMs)
  })
}

/** A cancel, and a request that interrupts. */
function mayCut(sent: Sent): boolean {
  if (sent.type === 'response.cancel') return true
  if (sent.type !== 'response.create') return false
  const { policy } = requestOf(sent)
  return policy === 'interrupt' || policy === 'unknown'
}

/** Whether nothing happened that may have cut the response short or changed it. */
export function isUndisturbed(response: Response): boolean {
  const { session } = response.connection
  const [done] = response.done
  if (done === undefined || cutsOf(response).length > 0) return false
  const from = startOf(response)
  const within = ({ line }: Passed): boolean => line > from.line && line < done.line
  const updated = session.sent.some(
    (one) => within(one) && (one.type === 'session.update' || one.type === 'conversation.item.delete'),
  )
  const spoken = session.came.some((one) => within(one) && one.type?.startsWith('input_audio.') === true)
  const closed = session.connections.some(
    ({ record }) => record.closed !== undefined && record.closed.line > from.line && record.closed.line < done.line,
  )
  return !updated && !spoken && !closed
}

function startOf({ origin, events, connection }: Response): Passed {
  const { request, candidates } = origin
  const first = request?.sent ?? candidates[0]?.sent ?? events[0]
  if (first === undefined) throw new Error(`a response without events on channel ${connection.channel}`)
  return first
}
