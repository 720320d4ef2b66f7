import { secondsOf } from './core/arrivals.ts'
import type { Stage } from './core/arrivals.ts'

/** How much, how long and how patiently. Any scenario runs with any workload. */
export interface Workload {
  /** Iterations a second at the start. */
  readonly start_rate: number
  readonly stages: readonly Stage[]
  /** Virtual users at most; each runs one iteration at a time. An iteration that finds none free is dropped. */
  readonly users: number
  /** Requests on the control channel (`response.create`, `session.update` …) in one iteration. */
  readonly turns: number
  /** Milliseconds from one turn to the next, by the schedule; 0 for as soon as the one before has ended. */
  readonly turn_interval_ms: number
  /** Characters of each scripted response. */
  readonly characters: number
  /** How long a request or a handshake may take, and how long a response may send nothing. */
  readonly patience_ms: number
  /** How long one iteration may take. */
  readonly iteration_ms: number
  /** How long an event may lie in the generator before it is handled, at p99. */
  readonly lag_bound_ms: number
  /** The same where nothing that is judged rests on times. */
  readonly timeless_lag_bound_ms: number
}

const usual = {
  users: 100,
  turns: 3,
  turn_interval_ms: 1_000,
  characters: 300,
  patience_ms: 10_000,
  iteration_ms: 60_000,
  lag_bound_ms: 50,
  timeless_lag_bound_ms: 50,
} as const

export const workloads = {
  /** Five iterations in some seconds, within every default limit. It proves that all works, so it is patient. */
  smoke: {
    ...usual,
    start_rate: 1,
    stages: [{ seconds: 5, rate: 1 }],
    users: 5,
    turn_interval_ms: 0,
    characters: 600,
    iteration_ms: 30_000,
    lag_bound_ms: 100,
    // Half of the shortest time that a law of those waits for.
    timeless_lag_bound_ms: 250,
  },
  /** What a usual day brings. */
  average: {
    ...usual,
    start_rate: 1,
    stages: [
      { seconds: 10, rate: 5 },
      { seconds: 50, rate: 5 },
    ],
  },
  /** More than a usual day brings, in steps that last. */
  stress: {
    ...usual,
    start_rate: 5,
    stages: [
      { seconds: 20, rate: 5 },
      { seconds: 5, rate: 10 },
      { seconds: 20, rate: 10 },
      { seconds: 5, rate: 20 },
      { seconds: 20, rate: 20 },
      { seconds: 10, rate: 1 },
    ],
    users: 300,
  },
  /** Nearly nothing, then everybody at once, then nearly nothing again: does it recover? */
  spike: {
    ...usual,
    start_rate: 2,
    stages: [
      { seconds: 15, rate: 2 },
      { seconds: 1, rate: 40 },
      { seconds: 10, rate: 40 },
      { seconds: 1, rate: 2 },
      { seconds: 20, rate: 2 },
    ],
    users: 400,
  },
  /** Little, for long: what leaks, fills or drifts shows. */
  soak: { ...usual, start_rate: 1, stages: [{ seconds: 1_800, rate: 1 }], turns: 10 },
  /** Ever more, until something gives. */
  breakpoint: { ...usual, start_rate: 1, stages: [{ seconds: 300, rate: 60 }], users: 600 },
} as const satisfies { readonly [name: string]: Workload }

export type WorkloadName = keyof typeof workloads

/** k6's handshakes take up to 60 s, and it can't break them off. */
export const HANDSHAKE_MS = 65_000

/**
 * A turn that began in time may go on for so long when the time of its iteration is over: deltas of a character each take a
 * minute, and the session has to be closed before k6 breaks the iteration off.
 */
export const OVERTIME_MS = HANDSHAKE_MS - 20_000

/** The longest that a workload lasts, in milliseconds. */
export function longest(workload: Workload): number {
  return secondsOf(workload) * 1_000 + workload.iteration_ms + HANDSHAKE_MS
}
