// How fast audio files are taken, and whether they come to what was sent. k6 run load/uploads.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { uploads } from './scenarios/uploads.ts'

const load = prepare([uploads])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
