import type { Arrivals } from '../../load/core/arrivals.ts'
import type { TallyJson } from '../../load/core/tally.ts'

/**
 * `load.json`: what one load run measured and what it came to. Its schema is `schemas/meta/load.json`; `load.html` is
 * made from it and from the history of earlier nights, and from nothing else.
 */
export interface LoadReport {
  readonly format: 'greenroom.load/1'
  /** Id of the run. */
  readonly run: string
  /** Name of the scenario, or `mix`. */
  readonly scenario: string
  /** The scenarios of a mix and how often each is chosen. */
  readonly mix?: readonly { readonly scenario: string; readonly weight: number }[]
  readonly workload: string
  /** RFC 3339 time at which the load began. */
  readonly started: string
  readonly duration_ms: number
  readonly versions: { readonly greenroom: string; readonly k6: string; readonly node: string }
  /** Where the load was made. */
  readonly machine: { readonly cpus: number; readonly memory_bytes: number; readonly platform: string }
  readonly target: LoadTarget
  /** How many k6 processes the numbers are made of. */
  readonly parts: number
  readonly verdict: LoadVerdict
  /** Why it is not `pass`, in words; also what stood against the target in a run that is `invalid`. */
  readonly reasons: readonly string[]
  /** What has to be known beside the verdict: what was not judged, and why. */
  readonly notes?: readonly string[]
  /** Exit code of the command. */
  readonly exit: number
  readonly rate: LoadRate
  /** How often something happened, by what is counted and by its closed list of keys. */
  readonly counts: { readonly [name: string]: { readonly [key: string]: number } }
  readonly latencies: { readonly [operation: string]: LatencySummary }
  readonly errors: readonly LoadError[]
  readonly timeline: readonly TimelineWindow[]
  readonly generator: GeneratorHealth
  readonly objectives: readonly ObjectiveResult[]
  /** What the sampled conversations were judged by, rows that broke first. */
  readonly requirements: readonly SampledRequirement[]
  readonly samples: Samples
  /** The knee search, where the run was one. */
  readonly knee?: Knee
  /** Seconds after the start at which the target stopped answering. */
  readonly died_at_s?: number
  /** Where an ever higher rate was too much; only where that ended the run. */
  readonly broke?: Broke
  /** Every number of the run; of a time, how often it fell into each bucket of the histogram. */
  readonly tally: TallyJson
}

/** `invalid`: the generator was not healthy, or the run not what it had to be; it says nothing about the target. */
export type LoadVerdict = 'pass' | 'fail' | 'invalid'

export interface LoadTarget {
  readonly base_url: string
  /** sha256 of the profile without its `base_url`: the embedded target listens at another port every night. */
  readonly profile_digest: string
}

/** Iterations a second, over the whole run. */
export interface LoadRate {
  readonly target_per_s: number
  /** What the workload wants; only where the keys allow less. */
  readonly wanted_per_s?: number
  /** By what schedule, over all keys; only where the rate changes. */
  readonly shape?: Arrivals
  readonly achieved_per_s: number
  /** Iterations that were due and never began. */
  readonly dropped: number
}

/** Milliseconds; observed, from the send on. */
export interface LatencySummary {
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /** From the time at which the schedule wanted it sent. */
  readonly intended?: Percentiles
}

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface LoadError {
  /** Where it came: `create`, `upgrade`, `conversation`, … */
  readonly phase: string
  /** HTTP status, or null where none came. */
  readonly http: number | null
  /** Code of the envelope or of the `error` event, or what went wrong on the way (`timeout`, `reset`, …). */
  readonly code: string
  readonly count: number
}

/** What happened in one window of some seconds. */
export interface TimelineWindow {
  /** Start of the window, in seconds after the start of the run. */
  readonly at_s: number
  /** Open sessions at the end of the window. */
  readonly active_sessions: number
  /** Iterations that began. */
  readonly iterations: number
  /** Events received on control channels. */
  readonly events: number
  readonly errors: number
  readonly latencies: { readonly [operation: string]: Percentiles }
}

export interface GeneratorHealth {
  /** How long events lay in the generator before it handled them. */
  readonly lag_p99_ms: number
  /** How long they may lie at p99 before the run is invalid. */
  readonly lag_bound_ms: number
  readonly dropped: number
  readonly healthy: boolean
}

/** An objective of the profile, and what the run showed. */
export interface ObjectiveResult {
  /** As the profile names it: `p95_ms`, `error_share`, `achieved_per_s`, … */
  readonly name: string
  /** The operation it speaks of; null for the run as a whole. */
  readonly operation: string | null
  readonly bound: number
  /** Null where nothing was measured. */
  readonly got: number | null
  readonly holds: boolean
}

export interface SampledRequirement {
  readonly id: string
  /** Its sentence. */
  readonly text: string
  readonly section: string
  readonly verdict: 'pass' | 'fail' | 'warn' | 'inconclusive'
  /** What was expected and what came, or how often it was seen. */
  readonly reason?: string
  readonly evidence: readonly SampledEvidence[]
}

export interface SampledEvidence {
  readonly conversation: string
  /** Line of `samples.ndjson`, from 1. */
  readonly line: number
}

export interface Samples {
  readonly conversations: number
  readonly entries: number
  /** File name beside `load.json`. */
  readonly file: string
}

export interface Knee {
  /** The objective that had to hold, in words. */
  readonly objective: string
  /** In the order in which they were tried. */
  readonly steps: readonly KneeStep[]
  /** Highest rate that held, measured twice; null when none did. */
  readonly knee_per_s: number | null
}

export interface Broke {
  /** Whose fault it was: a generator that is late itself for long says nothing of the target. */
  readonly by: 'target' | 'generator'
  /** Seconds after the start. */
  readonly at_s: number
  /** Iterations a second that were due then. */
  readonly rate_per_s: number
  /** The highest rate before that held, in iterations a second that began; null where none did. */
  readonly held_per_s: number | null
  /** What was seen first, in words. */
  readonly why: string
}

export interface KneeStep {
  /** Iterations a second that were asked for. */
  readonly rate: number
  /** Iterations a second that came about. */
  readonly achieved: number
  /** Of the operation that the objective speaks of; null where nothing was measured. */
  readonly p99_ms: number | null
  readonly held: boolean
  /** The generator was the bottleneck: it tells nothing of the target. */
  readonly invalid?: true
}
