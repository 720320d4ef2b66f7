// How soon connections come back that were all hung up at once. k6 run load/reconnect-storm.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { reconnectStorm } from './scenarios/reconnect-storm.ts'

const load = prepare([reconnectStorm])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
