import { BUCKETS, Histogram, type Reached } from './histogram.ts'
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

/** By key. */
interface Counted {
  [key: string]: number
}

/** Counts and times. All of it adds up: in one user, over users, over processes. */
export class Tally<CountName extends string = string, Time extends string = string> {
  readonly #measures: () => Measures
  /** Only what was ever counted: lists of keys are long (errors have some 2,000), and every user has a tally of its own. */
  readonly #counts: { [name: string]: Counted } = {}
  /** Of all times together. */
  readonly #buckets: Reached = {}
  /** Names of times by their place among those. */
  #times: readonly string[] = []

  /** Of the last key that was counted as other, which may come often. */
  #unknown = ''

  /** @param measures or what makes them, which is asked for each name and key once: lists that are kept cost a user of k6 20 kB */
  constructor(measures: Measures<CountName, Time> | (() => Measures<CountName, Time>)) {
    // Not where it is declared: the engine of k6 panics on private fields that begin as functions.
    this.#measures = typeof measures === 'function' ? measures : () => measures
  }

  get measures(): Measures {
    return this.#measures()
  }

  count(name: CountName, key: string, by = 1): void {
    const counted = (this.#counts[name] ??= this.#begin(name))
    const before = counted[key]
    if (before !== undefined) counted[key] = before + by
    else if (this.#unknown !== key && this.knows(name, key)) counted[key] = by
    else {
      this.#unknown = key
      counted[OTHER] = (counted[OTHER] ?? 0) + by
    }
  }

  /** What was counted; a key that is missing counts nothing. */
  counts(name: CountName): ReadonlyMap<string, number> {
    return new Map(Object.entries(this.#counts[name] ?? this.#begin(name)))
  }

  /** Whether a count has a place of its own for this key. */
  knows(name: CountName, key: string): boolean {
    return this.#counts[name]?.[key] !== undefined || this.#keysOf(name).includes(key)
  }

  /** Whether something was counted by this name; it may have been taken out. */
  hasCounted(name: string): boolean {
    return this.#counts[name] !== undefined
  }

  #begin(name: CountName): Counted {
    this.#keysOf(name)
    // Without `constructor` and the like: a target chooses the keys. No `Object.create`, which costs a user of k6 most of a kilobyte.
    return { __proto__: null } as unknown as Counted
  }

  /** @throws Error for what is no count */
  #keysOf(name: string): KeyList {
    const keys = this.measures.counts[name]
    if (keys === undefined) throw new Error(`nothing counts ${name}`)
    return keys
  }

  /** Sum over all keys of a count, or over those given. */
  total(name: CountName, keys?: readonly string[]): number {
    const counts = this.counts(name)
    let sum = 0
    for (const key of keys ?? counts.keys()) sum += counts.get(key) ?? 0
    return sum
  }

  time(name: Time): Histogram {
    const known = this.#times.indexOf(name)
    if (known !== -1) return new Histogram(this.#buckets, known)
    if (!this.measures.times.includes(name)) throw new Error(`nothing times ${name}`)
    this.#times = [...this.#times, name]
    return new Histogram(this.#buckets, this.#times.length - 1)
  }

  /** Every number that is not zero; from then on, there is none. */
  takeOut(): TallyJson {
    const taken: Numbers = {}
    for (const name of Object.keys(this.#counts)) {
      const counted = this.#counts[name] ?? {}
      for (const key of Object.keys(counted)) {
        if (counted[key]) addTo(taken, name, key, counted[key])
        // What was counted once is known for good.
        counted[key] = 0
      }
    }
    for (const own of Object.keys(this.#buckets)) {
      const bucket = Number(own)
      const name = this.#times[Math.floor(bucket / BUCKETS)] ?? OTHER
      addTo(taken, name, `${bucket % BUCKETS}`, this.#buckets[bucket] ?? 0)
      delete this.#buckets[bucket]
    }
    return taken
  }

  /** @throws Error when `json` holds what these measures don't */
  addJson(json: TallyJson): void {
    for (const [name, numbers] of Object.entries(json))
      for (const [key, by] of Object.entries(numbers)) this.#addOne(name, key, by)
  }

  #addOne(name: string, key: string, by: number): void {
    if (this.measures.times.includes(name)) this.time(name as Time).addTo(Number(key), by)
    else if (this.measures.counts[name]?.includes(key) === true) this.count(name as CountName, key, by)
    else throw new Error(`nothing measures ${key} of ${name}`)
  }
}

/** Numbers that are being added up, as a tally has them. */
export interface Numbers {
  [name: string]: Counted
}

function addTo(sum: Numbers, name: string, key: string, by: number): void {
  const own = (sum[name] ??= {})
  own[key] = (own[key] ?? 0) + by
}

/** Not a class: each class costs a user of k6 some 3 kB; and no `for … in`, of which the first costs 5 kB, as here and above. */
export function addUp(sum: Numbers, numbers: TallyJson, isWanted: (name: string) => boolean = () => true): void {
  for (const [name, own] of Object.entries(numbers))
    if (isWanted(name)) for (const key of Object.keys(own)) addTo(sum, name, key, own[key] ?? 0)
}

/** Every name and key that may hold a number. */
export function keysOf({ counts, times }: Measures): { readonly name: string; readonly keys: readonly string[] }[] {
  const buckets = Array.from({ length: BUCKETS }, (_, bucket) => String(bucket))
  const counted = Object.entries<KeyList>(counts).map(([name, keys]) => ({ name, keys: allKeys(keys) }))
  return [...counted, ...times.map((name) => ({ name, keys: buckets }))]
}
