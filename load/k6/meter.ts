import { Counter } from 'k6/metrics'
import { addUp, keysOf, type Measures, type Numbers, type Tally, type TallyJson } from '../core/tally.ts'

/**
 * Carries the tallies of one scenario from the users to `handleSummary`, which share no memory: one k6 counter a measure,
 * a tag a key. k6 keeps a number for a tag only where a threshold names it, so each key has one that always holds. (A
 * counter for each key would cost every user 4 kB a key; a Trend would keep every sample.)
 *
 * That makes times dear: k6 holds every number that it gets against all keys of its measure, of which a time has a thousand,
 * so the times of one conversation cost as much as a thousand events. And each counter costs every user most of a kilobyte.
 * Where somebody reads all lines of the windows, which hold the same, k6 gets no numbers at all.
 */
export class Meter {
  readonly #counters: { [name: string]: Counter['add'] } = {}
  /** What was not handed over yet; undefined where k6 gets no times. */
  #times: Numbers | undefined

  /** Only in the init context. @param measures those that k6 gets */
  constructor(scenario: string, measures: Measures) {
    // Of each counter only its function, which stands for itself in k6: the rest costs every user half a kilobyte a counter.
    declareMetrics(scenario, measures, (name, { add }) => void (this.#counters[name] = add))
    this.#times = measures.times.length > 0 ? {} : undefined
  }

  /**
   * Hands a tally over to k6: what it counted, and with `all` also its times, which are better handed over seldom.
   * @returns what came since the last time
   */
  flush(tally: Tally, all: boolean): TallyJson {
    const numbers = tally.takeOut()
    this.#hand(numbers, (name) => tally.hasCounted(name))
    if (this.#times === undefined) return numbers
    addUp(this.#times, numbers, (name) => !tally.hasCounted(name))
    if (all) {
      this.#hand(this.#times, () => true)
      this.#times = {}
    }
    return numbers
  }

  #hand(numbers: TallyJson, isWanted: (name: string) => boolean): void {
    for (const [name, own] of Object.entries(numbers)) {
      const add = isWanted(name) ? this.#counters[name] : undefined
      if (add !== undefined) for (const key of Object.keys(own)) add(own[key] ?? 0, { key })
    }
  }
}

/** What k6 gets of all that is measured. */
export const handedToK6 = (measures: Measures, { numbersInLines }: { readonly numbersInLines: boolean }): Measures =>
  numbersInLines ? { counts: {}, times: [] } : measures

/** Makes the counters of a scenario known to k6, which takes them only in the init context. @param take gets them by measure */
export function declareMetrics(
  scenario: string,
  { counts, times }: Measures,
  take: (name: string, counter: Counter) => void = () => undefined,
): void {
  for (const name of [...Object.keys(counts), ...times]) take(name, new Counter(metricOf(scenario, name)))
}

/** The thresholds without which k6 would keep no number. */
export function thresholdsOf(scenario: string, measures: Measures): { [metric: string]: string[] } {
  const thresholds: { [metric: string]: string[] } = {}
  for (const { name, keys } of keysOf(measures)) {
    const metric = metricOf(scenario, name)
    for (const key of keys) thresholds[keyed(metric, key)] = ['count>=0']
  }
  return thresholds
}

/** What k6 gives to `handleSummary`. */
export interface SummaryData {
  readonly metrics: { readonly [metric: string]: { readonly values: { readonly [value: string]: number } } }
  readonly state: { readonly testRunDurationMs: number }
}

export function readTally(data: SummaryData, scenario: string, measures: Measures): TallyJson {
  const numbers: { [name: string]: { [key: string]: number } } = {}
  for (const { name, keys } of keysOf(measures)) {
    const metric = metricOf(scenario, name)
    const counted = keys
      .map((key): [string, number] => [key, countIn(data, keyed(metric, key))])
      .filter(([, count]) => count !== 0)
    if (counted.length > 0) numbers[name] = Object.fromEntries(counted)
  }
  return numbers
}

export const countIn = (data: SummaryData, metric: string): number => data.metrics[metric]?.values['count'] ?? 0

/** The metric of a measure, or of one of its keys. */
export function metricOf(scenario: string, name: string, key?: string): string {
  const metric = `greenroom_${scenario.replaceAll('-', '_')}_${name}`
  return key === undefined ? metric : keyed(metric, key)
}

const keyed = (metric: string, key: string): string => `${metric}{key:${key}}`
