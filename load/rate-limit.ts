// Whether a key is limited as it says, and told the truth about it. k6 run load/rate-limit.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { rateLimit } from './scenarios/rate-limit.ts'

const load = prepare([rateLimit])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
