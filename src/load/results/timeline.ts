import type { K6Line, Numbers } from '../k6/lines.ts'
import type { Percentiles, TimelineWindow } from '../load-report.ts'
import { addNumbers, histogramOf, operationsIn, quantile, total } from './readings.ts'

type WindowLine = Extract<K6Line, { kind: 'window' }>

/** Windows are this long. */
export const WINDOW_S = 5

/** What is seen of a run while it goes on. */
export interface LiveFigures {
  readonly events_per_s: number
  /** Of the operation that tells most; undefined as long as nothing was measured. */
  readonly p95: { readonly operation: string; readonly ms: number } | undefined
  readonly errors: number
}

/** Operations whose time tells most of a service, the most telling first. */
const telling: readonly string[] = ['first_delta', 'updated', 'created', 'create', 'upload', 'page', 'request']

/** What all users of all k6 processes measured, by window. */
export class Timeline {
  readonly #windows = new Map<number, { [name: string]: { [key: string]: number } }>()
  readonly #sums: { [name: string]: { [key: string]: number } } = {}

  add({ at, tally }: WindowLine): void {
    const start = Math.floor(at / WINDOW_S) * WINDOW_S
    const window = this.#windows.get(start) ?? {}
    this.#windows.set(start, window)
    addNumbers(window, tally)
    addNumbers(this.#sums, tally)
  }

  /** Everything that was said so far. */
  get sums(): Numbers {
    return this.#sums
  }

  /** Windows in order, with their start in seconds since 1970. */
  windows(): readonly (readonly [at: number, numbers: Numbers])[] {
    return [...this.#windows].toSorted(([left], [right]) => left - right)
  }

  /** Of the last two windows that are over, since users report at their end. @param now in seconds since 1970 */
  live(now: number): LiveFigures {
    const from = (Math.floor(now / WINDOW_S) - 2) * WINDOW_S
    const recent = {}
    let seconds = 0
    for (const [at, numbers] of this.#windows) {
      if (at < from) continue
      addNumbers(recent, numbers)
      seconds = Math.max(seconds, Math.min(now - at, 2 * WINDOW_S))
    }
    return {
      events_per_s: seconds < 1 ? 0 : Math.round(total(recent, 'events') / seconds),
      p95: p95In(recent) ?? p95In(this.#sums),
      errors: total(this.#sums, 'errors'),
    }
  }

  /** @param started in seconds since 1970 */
  rows(started: number): readonly TimelineWindow[] {
    const windows = this.windows()
    const [first] = windows.at(0) ?? []
    const last = windows.at(-1)?.[0]
    if (first === undefined || last === undefined) return []
    const sums = {}
    return Array.from({ length: (last - first) / WINDOW_S + 1 }, (_, place) => {
      const at = first + place * WINDOW_S
      const numbers = this.#windows.get(at) ?? {}
      addNumbers(sums, numbers)
      return rowOf(Math.max(0, at - started), numbers, activeIn(sums))
    })
  }
}

function rowOf(at_s: number, numbers: Numbers, active_sessions: number): TimelineWindow {
  return {
    at_s: Math.round(at_s * 10) / 10,
    active_sessions,
    iterations: total(numbers, 'iterations', (key) => key === 'begun'),
    events: total(numbers, 'events'),
    errors: total(numbers, 'errors'),
    latencies: Object.fromEntries(operationsIn(numbers).map((name) => [name, percentilesOf(numbers, name)])),
  }
}

function percentilesOf(numbers: Numbers, operation: string): Percentiles {
  const histogram = histogramOf(numbers, operation)
  return { p50: quantile(histogram, 0.5), p95: quantile(histogram, 0.95), p99: quantile(histogram, 0.99) }
}

/** A session whose close was not accepted is nobody's any more: the clean-up at the end sees to it. */
function activeIn(numbers: Numbers): number {
  const over = total(numbers, 'sessions', (key) => key === 'closed' || key === 'unclosed')
  return Math.max(0, total(numbers, 'sessions', (key) => key === 'opened') - over)
}

function p95In(numbers: Numbers): LiveFigures['p95'] {
  const measured = operationsIn(numbers)
  const operation = telling.find((name) => measured.includes(name)) ?? measured[0]
  return operation === undefined ? undefined : { operation, ms: quantile(histogramOf(numbers, operation), 0.95) }
}
