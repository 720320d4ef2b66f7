import type { Tier } from '#trace/entry'
import { fileKinds } from '../report-files.ts'

/** What `--report` may name. */
export const reportKinds = [...fileKinds, 'allure'] as const

/** Reports beside the terminal's. */
export type ReportKind = (typeof reportKinds)[number]

/** What `greenroom check` is told on its command line. */
export interface CheckOptions {
  readonly target?: string
  readonly tier: Tier
  readonly only: readonly string[]
  readonly allScenarios: boolean
  readonly skip: readonly string[]
  readonly seed?: number
  readonly maxRequests?: number
  readonly maxFailures?: number
  readonly out: string
  readonly journal?: string
  readonly report: readonly ReportKind[]
  readonly requireAll: boolean
  readonly dryRun: boolean
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly requestsPerMinute?: number
  readonly baseline?: string
  readonly failed?: string
  readonly confirm: boolean
  readonly verbose: boolean
  /** Seconds. */
  readonly within?: number
  readonly budget?: number
  readonly changed?: readonly string[]
}
