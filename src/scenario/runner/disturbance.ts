import type { Channel, Exchange, RestCall } from '#client/types'
import { isMishap, type OperationId, operations } from '#spec/tables'
import { at } from '#trace/json'

/** Notes what goes wrong on the way to the target while one scenario is driven. */
export interface Disturbance {
  answered(operation: OperationId, call: RestCall, answer: Exchange): void
  /** A session ended, as Get shows, though nobody said so or asked for it. */
  cutOff(session: string): void
  /** What may have kept the scenario from seeing what it wanted to see. */
  troubles(channels: readonly Channel[]): readonly string[]
}

export function createDisturbance(): Disturbance {
  const met = new Set<string>()
  const closed = new Set<string>()
  const sessions: Sessions = { closed, untimed: new Set(), cutOff: new Set() }
  return {
    answered: (operation, call, answer) => {
      if (answer.trouble !== undefined && !isHasty(call, answer)) met.add(answer.trouble)
      if (mayHaveActed(operation, call, answer) && !isHasty(call, answer)) met.add(`${operation} repeated`)
      note(sessions, operation, call, answer)
    },
    cutOff: (session) => void sessions.cutOff.add(session),
    troubles: (channels) => [
      ...met,
      ...channels.flatMap((channel) => troubleOf(channel, closed)),
      ...channels.flatMap((channel) => (isEndedByService(channel, sessions) ? [sessionEnded] : [])),
    ],
  }
}

/** The trouble that a session ended which nobody had ended, and which had no timer. */
export const sessionEnded = 'a session ended by itself'

/** Ids of the avatar sessions of one scenario. */
interface Sessions {
  /** It asked for their close. */
  readonly closed: Set<string>
  /** It gave them no timer that would end them. */
  readonly untimed: Set<string>
  /** The service ended them without a word. */
  readonly cutOff: Set<string>
}

function note({ closed, untimed }: Sessions, operation: OperationId, call: RestCall, answer: Exchange): void {
  if (operation === 'close-avatar-session') closed.add(call.params?.['session_id'] ?? '')
  const timers = ['/auto_close', '/max_duration_seconds'].map((place) => at(call.body, place))
  const made = at(answer.data, '/session_id')
  if (operation === 'create-avatar-session' && typeof made === 'string' && timers.every((one) => one === undefined)) {
    untimed.add(made)
  }
}

/** "The service may also close a session for account limits, idle timeout, failures or maintenance" (3.1). */
function isEndedByService({ session, frames }: Channel, { closed, untimed, cutOff }: Sessions): boolean {
  if (closed.has(session) || !untimed.has(session)) return false
  return cutOff.has(session) || frames.some(({ type }) => type === 'session.closed')
}

/**
 * A write that was sent again and then refused: whether the target took it at an attempt whose answer was lost, nobody can
 * tell, but for a create with an idempotency key. And a world session whose create was sent again: what the answer to a
 * repetition shows beside the session is not said (section 3).
 */
function mayHaveActed(operation: OperationId, { body }: RestCall, answer: Exchange): boolean {
  if (answer.repeated !== true || operations[operation].method === 'GET') return false
  if (answer.ok) return operation === 'create-world-session'
  return !isMishap(answer) && at(body, '/idempotency_key') === undefined
}

/**
 * Whoever has no patience, on purpose, is not disturbed by what he did not wait for; nor is a burst of requests, of which
 * one more or less decides nothing.
 */
function isHasty(call: RestCall, { failure }: Exchange): boolean {
  if (call.pace === false) return true
  return failure === 'timeout' && (call.give_up === true || call.deadline_ms !== undefined)
}

/** A connection that ends with its session may do so without a word. */
function troubleOf({ state, trouble, session, frames }: Channel, closed: ReadonlySet<string>): string[] {
  const ended = state === 'closed' && (closed.has(session) || frames.some(({ type }) => type === 'session.closed'))
  return trouble === undefined || ended ? [] : [trouble]
}
