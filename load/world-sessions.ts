// How world sessions come, are looked after, and go. k6 run load/world-sessions.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { worldSessions } from './scenarios/world-sessions.ts'

const load = prepare([worldSessions])

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
