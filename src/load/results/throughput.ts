import type { LoadReport, TimelineWindow } from '../load-report.ts'
import { scheduledMs, total } from './readings.ts'
import { WINDOW_S } from './timeline.ts'

/** A shorter schedule has too few windows to tell when its events came. */
const SHORTEST_MS = 30_000

export interface EventRate {
  /** For each second in which iterations began: what the schedule asked for, whenever it came. */
  readonly asked: number
  /**
   * What came: no more than in the busiest stretch half as long as the schedule. A target that falls behind delivers the
   * rest after the schedule's end, while one that keeps up has reached in such a stretch what the schedule asked for.
   */
  readonly reached: number
}

/** @param events of the whole run */
export function eventRate(events: number, timeline: readonly TimelineWindow[], scheduled_ms: number): EventRate {
  const asked = scheduled_ms > 0 ? events / (scheduled_ms / 1_000) : 0
  const windows = Math.ceil(scheduled_ms / 2_000 / WINDOW_S)
  if (scheduled_ms < SHORTEST_MS || timeline.length < windows) return { asked, reached: asked }
  const sums = timeline
    .slice(windows - 1)
    .map((_, start) => timeline.slice(start, start + windows).reduce((sum, window) => sum + window.events, 0))
  return { asked, reached: Math.min(asked, Math.max(...sums) / (windows * WINDOW_S)) }
}

/** Of a report. */
export function eventRateOf(report: LoadReport): EventRate {
  const timed = report.timeline.reduce((sum, window) => sum + window.events, 0)
  // Where only part files were joined, nobody knows what came when.
  const events = report.timeline.length > 0 ? timed : total(report.tally, 'events')
  return eventRate(events, report.timeline, scheduledMs(report))
}

/** "1 iteration a second", "2.5 iterations a second". @param shown a number as the reader's medium writes it */
export const iterationsASecond = (rate: number, shown: (value: number) => string = String): string =>
  `${shown(rate)} ${rate === 1 ? 'iteration' : 'iterations'} a second`

/** Less than this share of what was asked for is told. */
const BEHIND = 0.95

/**
 * "40 a second"; where the target fell behind "30 a second came, of 40 by the schedule".
 *
 * @param shown a number as the reader's medium writes it
 */
export function paceOf({ asked, reached }: EventRate, shown: (value: number) => string): string {
  return reached < BEHIND * asked
    ? `${shown(reached)} a second came, of ${shown(asked)} by the schedule`
    : `${shown(reached)} a second`
}
