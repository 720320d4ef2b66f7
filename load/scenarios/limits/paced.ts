import type { RestMachine } from './rest-machine.ts'

/** Of the requests that a key has a minute; others may use it, too. */
const SPENT = 0.8
const MINUTE_MS = 60_000

/** A machine whose own key stays below its limit in every minute: what would be over it waits for its turn. */
export type PacedMachine = RestMachine & {
  /** Waits until so many requests of the own key may go at once: creates that are sent at once are to come at once. */
  makeRoom(count: number): Promise<void>
}

export function paced(machine: RestMachine): PacedMachine {
  const { name, requests_per_minute } = machine.key
  const most = Math.max(1, Math.floor(SPENT * requests_per_minute))
  /** When each request was due, in their order. */
  const due: number[] = []
  /** When one more than so many others may go. */
  const turn = (others: number): number => (due.at(others - most) ?? Number.NEGATIVE_INFINITY) + MINUTE_MS
  return {
    ...machine,
    makeRoom: (count) => machine.wait(Math.max(0, turn(Math.min(count, most) - 1) - machine.now())),
    request: async (request) => {
      if (request.key === undefined || request.key === name) {
        const now = machine.now()
        const at = Math.max(now, turn(0))
        due.push(at)
        if (at > now) await machine.wait(at - now)
      }
      return machine.request(request)
    },
  }
}
