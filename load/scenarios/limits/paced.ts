import type { RestMachine } from './rest-machine.ts'

/** Of the requests that a key has a minute; others may use it, too. */
const SPENT = 0.8
const MINUTE_MS = 60_000

/** A machine whose own key stays below its limit in every minute: what would be over it waits for its turn. */
export function paced(machine: RestMachine): RestMachine {
  const { name, requests_per_minute } = machine.key
  const most = Math.max(1, Math.floor(SPENT * requests_per_minute))
  /** When each request was due, in their order. */
  const due: number[] = []
  return {
    ...machine,
    request: async (request) => {
      if (request.key === undefined || request.key === name) {
        const now = machine.now()
        const at = Math.max(now, (due.at(-most) ?? Number.NEGATIVE_INFINITY) + MINUTE_MS)
        due.push(at)
        if (at > now) await machine.wait(at - now)
      }
      return machine.request(request)
    },
  }
}
