import type { Exchange, RestCall } from '#client/types'
import { type Profile, type Timeouts, timeoutsFor } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { isOver, statesIn } from './context-closed.ts'
import { createPatience } from './patience.ts'

/** From this part of the time on, a session that has not ended was waited for in full. */
const nearly = 0.8

/** Sees how long sessions take from an accepted close to their end, and how long waiting for it is worth the while. */
export interface Endings {
  answered(exchange: Exchange, operation: OperationId, call: RestCall): void
  /** How long to wait until a session is closed. */
  readonly closed_ms: number
}

export function createEndings(closed_ms: number, now: () => number = () => performance.now()): Endings {
  const patience = createPatience()
  const closing = new Map<string, number>()
  return {
    answered: (answer, operation, { params: { session_id: id } = {} }) => {
      if (id === undefined) return
      if (operation === 'close-avatar-session' && answer.ok) closing.set(id, closing.get(id) ?? now())
      const since = operation === 'get-avatar-session' ? closing.get(id) : undefined
      if (since === undefined) return
      if (isOver(answer, statesIn(answer))) {
        closing.delete(id)
        patience.received()
      } else if (answer.ok && now() - since >= nearly * closed_ms) {
        closing.delete(id)
        patience.vain()
      }
    },
    get closed_ms() {
      return patience.left(closed_ms)
    },
  }
}

/** Those of the profile; what never comes within its time is not waited for as long each time. */
export function timeoutsOf({ profile, endings }: { readonly profile: Profile; readonly endings: Endings }): Timeouts {
  const timeouts = timeoutsFor(profile)
  return Object.defineProperty(timeouts, 'closed_ms', { get: () => endings.closed_ms, enumerable: true })
}
