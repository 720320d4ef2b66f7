import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { driveTarget } from '#scenario/run/drive'
import { ndjsonOf } from '../corpus/make/plain.ts'
import { onSimulatedTarget } from '../simulated-target.ts'
import { asRecording, type WatchedRunOptions } from './watched-run.ts'

/** A run's trace as if somebody else had caused the traffic, and what the rules alone say of it. */
export interface StrippedRun {
  readonly results: Results
  /** Text of the trace, as `greenroom judge` takes it. */
  readonly trace: string
}

/**
 * Drives a reference target in this process and in simulated time, with no proxy between, and judges what passed as a
 * recording.
 */
export async function strippedRun(options: WatchedRunOptions): Promise<StrippedRun> {
  const { defects, variations } = options
  return onSimulatedTarget({ seed: 7, defects, variations }, async (driven) => {
    const run = await driveTarget({
      ...driven,
      scenarios: options.scenarios,
      only: options.only ?? [],
      tier: options.tier ?? 'standard',
      seed: 7,
    })
    const trace = asRecording(run.trace)
    return { results: judge(trace, register(), options.rules), trace: ndjsonOf(trace.entries) }
  })
}
