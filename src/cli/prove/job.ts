import type { Tier } from '../../trace/entry.ts'

/** One target to be run: what is wrong with it (or not), and what is asked of the run. */
export interface Job {
  /** Names the job in the matrix: the defect's id, or the variations joined by `+`. */
  readonly id: string
  readonly kind: 'defect' | 'variation'
  readonly defects: readonly string[]
  readonly variations: readonly string[]
  /** The requirement that the defect breaks. */
  readonly requirement?: string
  readonly tier: Tier
  /** Narrows the run to what can show the defect most cheaply; empty for everything. */
  readonly only: readonly string[]
  /** What else may show it, when that did not: narrower ones first, everything last. */
  readonly wider: readonly (readonly string[])[]
  readonly seed: number
  /** Seconds that its longest scenario waits for: long ones start first. */
  readonly waits: number
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
  /** Requirements that came out as fail or warn, the own one included. */
  readonly red: readonly string[]
  readonly conformant: boolean | null
  /** MUST rows that had to be judged and were not, with their reason codes. */
  readonly open: readonly string[]
  /** Mistakes of ours. */
  readonly errors: readonly string[]
  readonly rest_requests: number
  readonly ms: number
}
