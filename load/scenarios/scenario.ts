import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import type { Findings } from '../core/findings.ts'
import type { Key } from '../core/keys.ts'
import type { Measures, Tally } from '../core/tally.ts'
import type { Words } from '../core/words.ts'
import type { Workload, WorkloadName } from '../workloads.ts'
import type { Machine } from './machine.ts'

/** What one iteration costs at most, where all goes well: rates and users are kept within the keys' budgets by it. */
export interface Price {
  readonly requests: number
  /** Open at the same time. */
  readonly sessions: number
  /** How long it holds its user; undefined where that is nothing to speak of beside what the workload allows. */
  readonly busy_ms?: number
}

/**
 * How iterations begin. `rate`: by the schedule of the workload, whatever the ones before do (an open model), so that a
 * key's budget stays true over any number of processes. `together`: a number of users at once, each so many iterations one
 * after the other; only where the scenario's own condition needs simultaneous users, and it says why.
 */
export type Arrival =
  | { readonly kind: 'rate' }
  | {
      readonly kind: 'together'
      readonly why: string
      users(workload: Workload, keys: readonly Key[]): number
      iterations(workload: Workload): number
      /** How long one iteration may take, where that is longer than the workload says. */
      readonly iteration_ms?: number
    }

/** What has to be known to judge a scenario's numbers. All of it is the same in every part of a run. */
export interface Facts {
  readonly workloadName: WorkloadName
  readonly workload: Workload
  readonly keys: readonly Key[]
  /** How many iterations the schedule has, dropped ones among them. */
  readonly iterations: number
  /** How many of them found no free user. */
  readonly dropped: number
  /** How many scenarios the run has; several are a mix. */
  readonly scenarios: number
}

/** What virtual users do, what is measured of it, and how that is judged. A value without k6. */
export interface Scenario<Count extends string = string, Time extends string = string> {
  /** In reports and on the command line; the entry file is `load/<name>.ts`. */
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** What it measures beside what every scenario does (`common-measures.ts`): closed lists. */
  measures(words: Words): Measures<Count, Time>
  /** Whether what it judges rests on times, or it is there to measure them: a generator that is late is worse for it. */
  readonly judges_times: boolean
  price(workload: Workload): Price
  readonly arrival: Arrival
  /** What the target has to offer, under `abilities` of the profile; undefined for avatar sessions, which every target has. */
  readonly needs?: 'audio_files' | 'characters' | 'world_sessions'
  /** Which budgets of its keys it is meant to exceed; no other scenario ever does. */
  readonly exceeds: readonly ('requests' | 'sessions')[]
  /** Why it is never part of a mix; undefined when it may be. */
  readonly alone?: string
  /** How long it takes and why, where that does not follow from the workload. A sentence. */
  readonly lasts?: string
  iterate(machine: Machine<Count, Time>): Promise<void>
  /** Its own conditions only; what holds for every scenario (drops, the generator's lag …) is judged by the engine. */
  judge(tally: Tally<Count | CommonCount, Time | CommonTime>, facts: Facts): Findings
}
