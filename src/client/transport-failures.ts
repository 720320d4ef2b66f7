/**
 * Pauses after which a request or an upgrade is tried again when something on the way seems to be at fault. Together they
 * are longer than a restart or a failover takes.
 */
export const patientPauses: readonly number[] = [1_000, 3_000, 9_000, 27_000]

/** What has not passed within this time is not waited for any longer. */
export const longestTrouble = 30_000

/** How many milliseconds of pauses a trouble has to outlast to count as one that does not pass. */
const proof = 10_000
/** From then on each other request with the same trouble is tried once more, until this many were in vain. */
const mostVain = 3
/** Kinds of trouble that proved lasting, from which on no other kind is waited for as long. */
const mostKinds = 3

/** What all requests of a run have learned about trouble on the way: what did not pass is not waited for again. */
export interface TransportFailures {
  /** The pauses that are still worth while for this kind of trouble, and `least` of them whatever is known of it. */
  pauses(kind: string, least?: number): readonly number[]
  /** A request was given up with this trouble after pauses of so many milliseconds. */
  vain(kind: string, paused: number): void
  /** A request that had met this trouble was answered at last. */
  passed(kind: string): void
  /** Whether it was waited for and did not pass. */
  lasts(kind: string): boolean
  /** A request met trouble at this moment, in milliseconds of the client's clock. */
  met(now: number): void
  /** Whether one did so just before. */
  lately(now: number): boolean
}

/** Troubles that are no further apart, in milliseconds, may come of one cause. */
const near_ms = 5_000

export function createTransportFailures(pauses: readonly number[] = patientPauses): TransportFailures {
  const lasting = new Map<string, number>()
  let last = -Infinity
  return {
    pauses: (kind, least = 0) => {
      const vain = lasting.get(kind)
      if (vain !== undefined) return pauses.slice(0, Math.max(least, vain < mostVain ? 1 : 0))
      return lasting.size < mostKinds ? pauses : pauses.slice(0, Math.max(least, 2))
    },
    vain: (kind, paused) => {
      const before = lasting.get(kind)
      if (before !== undefined) lasting.set(kind, before + 1)
      else if (paused >= proof || paused >= total(pauses)) lasting.set(kind, 0)
      else if (lasting.size >= mostKinds) lasting.set(kind, 0)
    },
    passed: (kind) => void lasting.delete(kind),
    lasts: (kind) => lasting.has(kind),
    met: (now) => void (last = now),
    lately: (now) => now - last <= near_ms,
  }
}

function total(pauses: readonly number[]): number {
  return pauses.reduce((sum, ms) => sum + ms, 0)
}
