import type { Options } from 'k6/options'
import type { SummaryData } from './meter.ts'

/** Scenarios, as k6 runs them. */
export interface Load {
  readonly options: Options
  /** For the default function. */
  iterate(): Promise<void>
  /** For `handleSummary`. */
  summary(data: SummaryData): { [output: string]: string }
}
