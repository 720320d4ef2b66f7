// What becomes of responses that interrupt each other, and of the one that waits. k6 run load/interrupt-storm.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { interruptStorm } from './scenarios/interrupt-storm.ts'

const load = prepare([interruptStorm])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
