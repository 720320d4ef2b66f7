import type { Entry } from '#trace/entry'
import { isObject } from '#trace/json'
import type { LastNumbers } from './numbers.ts'
import type { SentTimes } from './pace.ts'

/** What a client needs to go on where another process of the same run stopped. */
export interface Resumption {
  readonly start_numbers: LastNumbers
  readonly sent_times: SentTimes
  readonly sent_before: number
}

const mostTimes = 4_000

/** Reads the last numbers, and when each key sent its requests, from the trace so far. */
export function resumeFrom(entries: readonly Entry[]): Resumption {
  const last = { exchange: 0, channel: 0, frame: 0, claim: 0, mark: 0 }
  const times = new Map<string, number[]>()
  for (const entry of entries) {
    raise(last, entry)
    if (entry.kind === 'claim') raiseNamed(last, [entry.condition, entry.given])
    if (entry.kind !== 'request') continue
    const before = times.get(entry.key) ?? []
    times.set(entry.key, before)
    before.push(entry.t)
  }
  const sent_times = Object.fromEntries([...times].map(([key, sent]) => [key, sent.slice(-mostTimes)]))
  const sent_before = entries.filter(({ kind }) => kind === 'request').length
  return { start_numbers: last, sent_times, sent_before }
}

/** What is counted, under the name of its number. */
const kinds = ['exchange', 'channel', 'frame', 'claim', 'mark'] as const

/** Names under which a claim tells numbers, and what they count. */
const counted: ReadonlyMap<string, readonly (keyof LastNumbers)[]> = new Map<string, readonly (keyof LastNumbers)[]>([
  ...kinds.map((kind) => [kind, [kind]] as const),
  ['sent', ['frame']],
  ['twin', ['exchange', 'channel']],
])

type Last = { -readonly [kind in keyof LastNumbers]: number }

/** A claim may name what was reserved and never sent; those numbers are taken as well. */
function raiseNamed(last: Last, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) raiseNamed(last, item)
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'number') for (const kind of counted.get(name) ?? []) last[kind] = Math.max(last[kind], inner)
    else if (typeof inner === 'object') raiseNamed(last, inner)
  }
}

function raise(last: Last, names: object): void {
  for (const kind of kinds) {
    const number = (names as { readonly [name: string]: unknown })[kind]
    if (typeof number === 'number') last[kind] = Math.max(last[kind], number)
  }
}
