// How many events a second come whole and in order over control channels. k6 run load/control-throughput.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { controlThroughput } from './scenarios/control-throughput.ts'

const load = prepare([controlThroughput])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
