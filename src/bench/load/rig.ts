import type { Measured } from './measured-k6.ts'
import type { Workload } from '../../../load/workloads.ts'

/** What a part of the bench works with. */
export interface Rig {
  /** Path of k6. */
  readonly k6: string
  /** The library as `greenroom load` runs it: one file. */
  readonly library: string
  readonly pairs: number
}

/** The same requests and frames without the library. */
export const BARE = 'bench/bare.ts'

const patient = { patience_ms: 300_000, iteration_ms: 600_000, turn_interval_ms: 0 }

/** Users that all begin within a second, with turns one after the other. */
export function scaleOf(users: number, turns: number, characters: number): Partial<Workload> {
  return { ...patient, users, turns, characters, start_rate: users, stages: [{ seconds: 1, rate: users }] }
}

/** As `scaleOf`, but they begin one after the other, so that a busy machine can follow. */
export function slowlyOf(users: number, turns: number, characters: number): Partial<Workload> {
  const rate = 20
  return { ...scaleOf(users, turns, characters), start_rate: rate, stages: [{ seconds: users / rate, rate }] }
}

export const perSecond = (events: number, { part }: Measured): number => (events / part.duration_ms) * 1_000

/** Median, and the range. */
export function say(what: string, numbers: readonly number[], unit = '', each = 'pairs'): void {
  const sorted = numbers.toSorted((left, right) => left - right)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const show = (number: number): string => (number >= 1_000 ? String(Math.round(number)) : number.toPrecision(3))
  const range = `${show(sorted[0] ?? 0)} to ${show(sorted.at(-1) ?? 0)}`
  console.log(`${what}: ${show(middle)}${unit === '' ? '' : ` ${unit}`} (${range}, ${sorted.length} ${each})`)
}
