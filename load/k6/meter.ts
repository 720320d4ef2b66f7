import { Counter } from 'k6/metrics'
import { keysOf, type Measures, type Tally, type TallyJson } from '../core/tally.ts'

/**
 * Carries tallies from the users to `handleSummary`, which share no memory: one k6 counter a measure, a tag a key.
 * k6 keeps a number for a tag only where a threshold names it, so each key has one that always holds. (A counter for
 * each key would cost every user 4 kB a key; a Trend would keep every sample.)
 */
export class Meter {
  readonly #counters = new Map<string, Counter>()

  /** Only in the init context. */
  constructor(measures: Measures) {
    for (const name of [...Object.keys(measures.counts), ...measures.times])
      this.#counters.set(name, new Counter(metricOf(name)))
  }

  /** Hands a tally over and empties it. */
  flush(tally: Tally): void {
    tally.each((name, key, by) => this.#counters.get(name)?.add(by, { key }))
    tally.clear()
  }
}

/** The thresholds without which k6 would keep no number. */
export function thresholdsOf(measures: Measures): { [metric: string]: string[] } {
  const metrics = keysOf(measures).flatMap(({ name, keys }) => keys.map((key) => metricOf(name, key)))
  return Object.fromEntries(metrics.map((metric) => [metric, ['count>=0']]))
}

/** What k6 gives to `handleSummary`. */
export interface SummaryData {
  readonly metrics: { readonly [metric: string]: { readonly values: { readonly [value: string]: number } } }
  readonly state: { readonly testRunDurationMs: number }
}

export function readTally(data: SummaryData, measures: Measures): TallyJson {
  const countOf = (name: string, key: string): number => data.metrics[metricOf(name, key)]?.values['count'] ?? 0
  const numbers = keysOf(measures).map(({ name, keys }): [string, { [key: string]: number }] => [
    name,
    Object.fromEntries(keys.map((key) => [key, countOf(name, key)]).filter(([, count]) => count !== 0)),
  ])
  return Object.fromEntries(numbers)
}

/** The metric of a measure, or of one of its keys. */
export function metricOf(name: string, key?: string): string {
  return key === undefined ? `greenroom_${name}` : `greenroom_${name}{key:${key}}`
}
