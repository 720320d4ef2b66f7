import type { CommonTime } from './common-measures.ts'
import type { Finding, Findings } from './findings.ts'
import type { Tally } from './tally.ts'

/** A generator that was never late by more than this share of what it waits for cannot be why nothing came. */
const SHARE = 0.1

const lags = ['handler_lag_ms', 'timer_lag_ms'] as const satisfies readonly CommonTime[]

/**
 * What never came, though it was waited for all the time that the workload gives. Numbers of a generator that was a tenth
 * of a second behind are worth nothing, but that is no reason why ten seconds are silent.
 */
export function silences(
  found: readonly Finding[],
  tally: Tally<never, CommonTime>,
  patience_ms: number,
): Pick<Findings, 'broken' | 'trouble'> {
  return latest(tally) > SHARE * patience_ms ? { broken: [], trouble: found } : { broken: found, trouble: [] }
}

/** How late the generator ever was, in milliseconds. */
export const latest = (tally: Tally<never, CommonTime>): number =>
  Math.max(...lags.map((lag) => tally.time(lag).quantile(1) ?? 0))
