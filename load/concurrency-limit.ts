// Where the cap on open sessions is, and whether it holds. k6 run load/concurrency-limit.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { concurrencyLimit } from './scenarios/concurrency-limit.ts'

const load = prepare([concurrencyLimit])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
