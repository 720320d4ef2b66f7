import type { CommonTime } from './common-measures.ts'
import type { Finding, Findings } from './findings.ts'
import type { Tally } from './tally.ts'

/** A generator that was never late by more than this share of what it waits for cannot be why nothing came. */
const SHARE = 0.1

/** One that stood still for more than this share of it may be. */
const HALTED_SHARE = 0.5

const lags = ['handler_lag_ms', 'timer_lag_ms'] as const satisfies readonly CommonTime[]

/**
 * What never came, though it was waited for all the time that the workload gives. Numbers of a generator that was a tenth
 * of a second behind are worth nothing, but that is no reason why ten seconds are silent. It is one where it stood still for
 * most of them: what it was, and whose it was, a run without that has to show.
 */
export function silences(found: readonly Finding[], tally: Tally<never, CommonTime>, patience_ms: number): Findings {
  const nothing = { broken: [], trouble: [], invalid: [] }
  if (mayBeCause(tally, patience_ms))
    return { ...nothing, invalid: found.map(({ text }) => ({ text: `${text} (${causeIn(tally)})` })) }
  return latest(tally) > SHARE * patience_ms ? { ...nothing, trouble: found } : { ...nothing, broken: found }
}

/** Whether the generator ever stood still for so long that it may be why something seems to have gone on for this time. */
export const mayBeCause = (tally: Tally<never, CommonTime>, went_on_ms: number): boolean =>
  latest(tally) > HALTED_SHARE * went_on_ms

/** That it did, for a finding that it may have caused. */
export const causeIn = (tally: Tally<never, CommonTime>): string =>
  `the generator itself stood still for up to ${(latest(tally) / 1_000).toFixed(1)} s, which may be the cause: run it again`

/** How late the generator ever was, in milliseconds. */
const latest = (tally: Tally<never, CommonTime>): number =>
  Math.max(...lags.map((lag) => tally.time(lag).quantile(1) ?? 0))
