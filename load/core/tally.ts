import { BUCKETS, Histogram } from './histogram.ts'
import { allKeys, type KeyList } from './key-list.ts'

/** What a scenario measures. Keys are closed lists, because k6 wants every one of them declared. */
export interface Measures<Count extends string = string, Time extends string = string> {
  readonly counts: { readonly [name in Count]: KeyList }
  readonly times: readonly Time[]
}

/** What is not in the list of a count's keys counts as this, so every list ends with it. */
export const OTHER = 'other'

/** Numbers by name and key; a histogram's keys are its buckets. */
export interface TallyJson {
  readonly [name: string]: { readonly [key: string]: number }
}

/**
 * One count of a tally. Only keys that were counted hold a number: lists are long (errors have some 2,000 keys), most stay
 * at nothing, every user has a tally of its own, and every flush goes through what there is.
 */
class Count {
  readonly known: KeyList
  readonly counted = new Map<string, number>()

  constructor(known: KeyList) {
    this.known = known
  }

  add(key: string, by: number): void {
    const before = this.counted.get(key)
    if (before !== undefined) this.counted.set(key, before + by)
    else if (this.known.includes(key)) this.counted.set(key, by)
    else this.counted.set(OTHER, (this.counted.get(OTHER) ?? 0) + by)
  }
}

/** Counts and times. All of it adds up: in one user, over users, over processes. */
export class Tally<CountName extends string = string, Time extends string = string> {
  readonly measures: Measures
  readonly #counts = new Map<string, Count>()
  readonly #times = new Map<string, Histogram>()

  constructor(measures: Measures<CountName, Time>) {
    this.measures = measures
    for (const name of Object.keys(measures.counts) as CountName[])
      this.#counts.set(name, new Count(measures.counts[name]))
  }

  count(name: CountName, key: string, by = 1): void {
    this.#count(name).add(key, by)
  }

  /** What was counted; a key that is missing counts nothing. */
  counts(name: CountName): ReadonlyMap<string, number> {
    return this.#count(name).counted
  }

  /** Whether a count has a place of its own for this key. */
  knows(name: CountName, key: string): boolean {
    return this.#count(name).known.includes(key)
  }

  #count(name: string): Count {
    const count = this.#counts.get(name)
    if (count === undefined) throw new Error(`nothing counts ${name}`)
    return count
  }

  /** Sum over all keys of a count, or over those given. */
  total(name: CountName, keys?: readonly string[]): number {
    const counts = this.counts(name)
    let sum = 0
    for (const key of keys ?? counts.keys()) sum += counts.get(key) ?? 0
    return sum
  }

  time(name: Time): Histogram {
    const known = this.#times.get(name)
    if (known !== undefined) return known
    if (!this.measures.times.includes(name)) throw new Error(`nothing times ${name}`)
    const histogram = new Histogram()
    this.#times.set(name, histogram)
    return histogram
  }

  /** Calls back with every number that is not zero. */
  each(take: (name: string, key: string, by: number) => void): void {
    for (const [name, { counted }] of this.#counts) for (const [key, by] of counted) if (by > 0) take(name, key, by)
    for (const [name, histogram] of this.#times) histogram.each((bucket, by) => take(name, String(bucket), by))
  }

  clear(): void {
    for (const { counted } of this.#counts.values()) counted.clear()
    for (const histogram of this.#times.values()) histogram.clear()
  }

  /** @throws Error when `json` holds what these measures don't */
  addJson(json: TallyJson): void {
    for (const [name, numbers] of Object.entries(json))
      for (const [key, by] of Object.entries(numbers)) this.#add(name, key, by)
  }

  #add(name: string, key: string, by: number): void {
    const count = this.#counts.get(name)
    if (this.measures.times.includes(name)) this.time(name as Time).add(Number(key), by)
    else if (count?.known.includes(key) === true) count.add(key, by)
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
  const counted = Object.entries<KeyList>(counts).map(([name, keys]) => ({ name, keys: allKeys(keys) }))
  return [...counted, ...times.map((name) => ({ name, keys: buckets }))]
}
