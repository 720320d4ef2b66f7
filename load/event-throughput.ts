// How many events a second come whole and in order over control channels. k6 run load/event-throughput.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/load.ts'
import type { SummaryData } from './k6/meter.ts'
import { converse } from './scenarios/converse.ts'

const load = prepare('event-throughput')

export const options: Options = load.options

export default function (): void {
  converse(load.stage(), load.workload)
}

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
