// How creates fare that are refused for want of capacity. k6 run load/capacity-backoff.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { capacityBackoff } from './scenarios/capacity-backoff.ts'

const load = prepare([capacityBackoff])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
