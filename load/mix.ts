// Several scenarios in one run, by weight. k6 run -e GREENROOM_MIX='{"control-throughput":3,"soak":1}' load/mix.ts
import type { Options } from 'k6/options'
import { prepare } from './k6/prepare.ts'
import type { SummaryData } from './k6/meter.ts'
import { readMix } from './k6/settings.ts'
import { mixOf } from './scenarios/scenarios.ts'

const load = prepare(mixOf(readMix(__ENV)))

export const options: Options = load.options

export default (): Promise<void> => load.iterate()

export const handleSummary = (data: SummaryData): { [output: string]: string } => load.summary(data)
