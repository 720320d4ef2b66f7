import type { Exchange, RestCall } from '#client/types'
import { workspaceOf } from '#spec/profile'
import { isMishap, type OperationId, operations } from '#spec/tables'

/** Notes over which writes the service failed while it took no other one: it may have been down for all of them. */
export interface FailedAlone {
  /**
   * Sends a request.
   *
   * @param alone is called where its scenario has to be driven again, for nothing shows whom the failure is about: at most
   *   once for each scenario
   */
  around(request: Sent, send: () => Promise<Exchange>, alone: () => void): Promise<Exchange>
}

interface Sent {
  readonly scenario: string
  readonly operation: OperationId
  readonly key: RestCall['key']
}

export function createFailedAlone(): FailedAlone {
  /** Writes that were taken, by workspace. */
  const taken = new Map<string, number>()
  const told = new Set<string>()
  return {
    around: async ({ scenario, operation, key = 'primary' }, send, alone) => {
      if (operations[operation].method === 'GET') return send()
      const workspace = workspaceOf(key)
      const before = taken.get(workspace) ?? 0
      const answer = await send()
      const now = taken.get(workspace) ?? 0
      if (answer.ok) taken.set(workspace, now + 1)
      if (isMishap(answer) && now === before && !told.has(scenario)) {
        told.add(scenario)
        alone()
      }
      return answer
    },
  }
}
