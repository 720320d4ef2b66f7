import type { Channel } from '#client/types'
import { watchFactor } from '#judge/timing/timeouts'
import { judgeClaim } from '#judge/findings'
import { indexTrace } from '#judge/trace-index'
import type { Condition } from '#trace/claim'
import type { Entry } from '#trace/entry'

export interface Listening {
  /** What the scenario wrote so far. */
  readonly entries: () => readonly Entry[]
  /** Whether nothing need be heard any more. */
  readonly over: () => boolean
  /** Milliseconds that the scenario may still wait for what is late. */
  readonly left: () => number
  /** Says that so many of them are gone, and whether anything came. */
  readonly spent: (ms: number, vain: boolean) => void
}

/** What all late answers count as among the silences of a run. */
const lateKind = 'late'
/** After how many waits for a late answer in vain each further one is shorter. */
const mostVain = 6

/** How long a scenario waits for late answers in all: a target that keeps silent over and over is not listened to as long. */
export function patienceForLate(silences: ReadonlyMap<string, number>, event_ms: number): number {
  return (silences.get(lateKind) ?? 0) < mostVain ? watchFactor * event_ms : event_ms
}

export function heardNothing(silences: Map<string, number>): void {
  silences.set(lateKind, (silences.get(lateKind) ?? 0) + 1)
}

/** Frames that come together are looked at together, in milliseconds. */
const together = 25

/**
 * What comes late was late: before a channel is closed, what claims still expect on it is waited for until its absence
 * would be certain. A target that answers promptly leaves nothing to wait for.
 */
export async function hearLate(channel: Channel, { entries, over, left, spent }: Listening): Promise<void> {
  while (channel.state === 'open' && !over()) {
    const ms = Math.min(stillPending(entries(), channel.channel), left())
    if (ms <= 0) return
    const began = performance.now()
    const after = channel.frames.at(-1)?.frame ?? 0
    const received = await channel.next({}, { after, within_ms: ms })
    if (received !== undefined) await channel.watch(together)
    spent(performance.now() - began, received === undefined)
  }
}

/** For how long a claim of the scenario still expects something on the channel; 0 where none does. */
export function stillPending(entries: readonly Entry[], channel: number): number {
  const claims = entries.filter((entry) => entry.kind === 'claim' && expects(entry.condition, channel))
  if (claims.length === 0) return 0
  const trace = indexTrace(entries)
  const now = entries.at(-1)?.t ?? 0
  const ends = trace.claims.map(({ entry }) => {
    if (!expects(entry.condition, channel)) return 0
    const outcome = judgeClaim(trace, entry)
    return outcome.state === 'unobserved' ? (outcome.pending ?? 0) : 0
  })
  return Math.max(0, Math.max(...ends) - now)
}

function expects(condition: Condition, channel: number): boolean {
  if (condition.is === 'eventually') return condition.channel === channel
  return (condition.is === 'any' || condition.is === 'all') && condition.of.some((one) => expects(one, channel))
}
