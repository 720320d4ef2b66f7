// Whether pages of characters hold while characters come and go. k6 run load/characters-paging.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { charactersPaging } from './scenarios/characters-paging.ts'

const load = prepare([charactersPaging])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
