import { BUCKETS, Histogram } from './histogram.ts'

/** What a scenario measures. Keys are closed lists, because k6 wants every one of them declared. */
export interface Measures<Count extends string = string, Time extends string = string> {
  readonly counts: { readonly [name in Count]: readonly string[] }
  readonly times: readonly Time[]
}

/** What is not in the list of a count's keys counts as this, so every list ends with it. */
export const OTHER = 'other'

/** Numbers by name and key; a histogram's keys are its buckets. */
export interface TallyJson {
  readonly [name: string]: { readonly [key: string]: number }
}

/** Counts and times. All of it adds up: in one user, over users, over processes. */
export class Tally<Count extends string = string, Time extends string = string> {
  readonly measures: Measures
  readonly #counts = new Map<string, Map<string, number>>()
  readonly #times = new Map<string, Histogram>()

  constructor(measures: Measures<Count, Time>) {
    this.measures = measures
    for (const name of Object.keys(measures.counts) as Count[])
      this.#counts.set(name, new Map(measures.counts[name].map((key) => [key, 0])))
    for (const name of measures.times) this.#times.set(name, new Histogram())
  }

  count(name: Count, key: string, by = 1): void {
    const counts = this.#counts.get(name)
    const before = counts?.get(key)
    if (counts === undefined) throw new Error(`nothing counts ${name}`)
    if (before !== undefined) counts.set(key, before + by)
    else counts.set(OTHER, (counts.get(OTHER) ?? 0) + by)
  }

  counts(name: Count): Map<string, number> {
    const counts = this.#counts.get(name)
    if (counts === undefined) throw new Error(`nothing counts ${name}`)
    return counts
  }

  /** Sum over all keys of a count, or over those given. */
  total(name: Count, keys: readonly string[] = this.measures.counts[name] ?? []): number {
    const counts = this.counts(name)
    return keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
  }

  time(name: Time): Histogram {
    const histogram = this.#times.get(name)
    if (histogram === undefined) throw new Error(`nothing times ${name}`)
    return histogram
  }

  /** Calls back with every number that is not zero. */
  each(take: (name: string, key: string, by: number) => void): void {
    for (const [name, counts] of this.#counts) for (const [key, by] of counts) if (by > 0) take(name, key, by)
    for (const [name, histogram] of this.#times) histogram.each((bucket, by) => take(name, String(bucket), by))
  }

  clear(): void {
    for (const counts of this.#counts.values()) for (const key of counts.keys()) counts.set(key, 0)
    for (const histogram of this.#times.values()) histogram.clear()
  }

  /** @throws Error when `json` holds what these measures don't */
  addJson(json: TallyJson): void {
    for (const [name, numbers] of Object.entries(json))
      for (const [key, by] of Object.entries(numbers)) this.#add(name, key, by)
  }

  #add(name: string, key: string, by: number): void {
    const histogram = this.#times.get(name)
    if (histogram !== undefined) histogram.add(Number(key), by)
    else if (this.#counts.get(name)?.has(key) === true) this.count(name as Count, key, by)
    else throw new Error(`nothing measures ${key} of ${name}`)
  }

  toJSON(): TallyJson {
    const json: { [name: string]: { [key: string]: number } } = {}
    this.each((name, key, by) => {
      json[name] ??= {}
      json[name][key] = by
    })
    return json
  }
}

/** Every name and key that may hold a number. */
export function keysOf({ counts, times }: Measures): { readonly name: string; readonly keys: readonly string[] }[] {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => String(bucket))
  const counted = Object.entries(counts).map(([name, keys]) => ({ name, keys }))
  return [...counted, ...times.map((name) => ({ name, keys: buckets }))]
}
