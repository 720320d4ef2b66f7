// Whether creates that are retried with their idempotency keys ever make two sessions. k6 run load/create-storm.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { createStorm } from './scenarios/create-storm.ts'

const load = prepare([createStorm])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
