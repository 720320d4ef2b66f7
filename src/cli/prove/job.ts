import type { LeftOut } from '#scenario/plan/selection'
import type { Tier } from '#trace/entry'
import type { Visits } from './reach.ts'

/** One target to be run: what is wrong with it (or not), and what is asked of the run. */
export interface Job {
  /** Names the job in the matrix: the defect's id, or the variations joined by `+`. */
  readonly id: string
  readonly kind: 'defect' | 'variation' | 'validation'
  readonly defects: readonly string[]
  readonly variations: readonly string[]
  /** Validations that are switched off. */
  readonly waived?: readonly string[]
  /** Asks for all scenarios that show the defect. */
  readonly everywhere?: true
  /** The requirement that the defect breaks. */
  readonly requirement?: string
  readonly tier: Tier
  /** Narrows the run to what can show the defect most cheaply; empty for everything. */
  readonly only: readonly string[]
  readonly left_out?: LeftOut
  /** What else may show it, one after the other, while it is not shown. */
  readonly wider: readonly Pick<Job, 'tier' | 'only' | 'waived'>[]
  readonly seed: number
  /** Seconds that its scenarios have to wait for: long ones start first. */
  readonly waits: number
  /** Folder for the trace of a correct target that is reported; without it none is kept. */
  readonly keep?: string
}

/** What became of a job. */
export interface JobResult {
  readonly id: string
  readonly kind: Job['kind']
  readonly variations: readonly string[]
  readonly requirement?: string
  /** Verdict on the defect's own requirement. */
  readonly verdict?: string
  readonly reason?: string
  readonly reason_code?: string
  /** The scenario that showed it, where one alone did. */
  readonly shown_by?: string
  /** All scenarios that showed it, where that was asked for. */
  readonly shown_in?: readonly string[]
  /** Validations that were switched off. */
  readonly waived?: readonly string[]
  /** What the run was narrowed to. */
  readonly only?: readonly string[]
  readonly tier?: Tier
  /** Requirements that came out as fail or warn, the own one included; without warnings that a variation is right to get. */
  readonly red: readonly string[]
  readonly conformant: boolean | null
  /** Of a correct target, why it was reported: the first failure, as a sentence. */
  readonly first_failure?: string
  /** MUST rows that had to be judged and were not, with their reason codes. */
  readonly open: readonly string[]
  /** Mistakes of ours. */
  readonly errors: readonly string[]
  /** What the first run left open, where a second one on quiet threads decided. */
  readonly at_first?: string
  /** What each scenario made happen, of a whole run of the reference. */
  readonly visits?: Visits
  readonly rest_requests: number
  readonly ms: number
}
