import type { Exchange, RestCall } from '#client/types'
import { workspaceOf } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { textAt } from '#trace/json'

/** Knows which characters one scenario made and did not delete yet. */
export interface Stored {
  /**
   * Whether a delete finds nothing though the character was there. A proxy may send a DELETE again by itself (RFC 9110,
   * 9.2.2) and hand on the answer to the second one.
   */
  misses(operation: OperationId, call: RestCall, answer: Exchange): boolean
}

export function createStored(): Stored {
  /** The workspace of each. */
  const stored = new Map<string, string>()
  return {
    misses: (operation, { key = 'primary', params }, { ok, code, data }) => {
      if (key === 'none' || key === 'malformed') return false
      const workspace = workspaceOf(key)
      const made = operation === 'create-character' ? textAt(data, '/character_id') : undefined
      if (made !== undefined) stored.set(made, workspace)
      const id = params?.['character_id']
      if (operation !== 'delete-character' || id === undefined || stored.get(id) !== workspace) return false
      if (ok || code === 20005) stored.delete(id)
      return code === 20005
    },
  }
}
