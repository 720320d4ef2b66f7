// Whether sessions that last keep answering, and are gone once they are closed. k6 run load/soak.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { soak } from './scenarios/soak.ts'

const load = prepare([soak])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
