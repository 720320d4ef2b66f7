/** How the highest rate that holds is searched for. */
export interface KneeOptions {
  /** The first rate that is tried, in iterations a second. */
  readonly start: number
  /** The search never asks for less, nor for more. */
  readonly least: number
  readonly most: number
  /** The knee is known when what held and what did not are this close: 0.1 for 10 %. */
  readonly tolerance: number
  readonly most_runs: number
}

/** What one run at a rate showed. */
export interface KneeRun {
  readonly rate: number
  /** `invalid`: the generator was the bottleneck, so the run says nothing of the target. */
  readonly outcome: 'held' | 'missed' | 'invalid'
}

/** What is to be done next. */
export type KneeMove =
  | { readonly kind: 'run'; readonly rate: number }
  | {
      readonly kind: 'done'
      /** The highest rate that held twice; undefined when none did. */
      readonly knee: number | undefined
      readonly why: 'found' | 'nothing-held' | 'all-held' | 'generator' | 'out-of-runs'
    }

/** By how much the rate grows, as long as no bound is known. */
const GROWTH = 2

/** A rate at which the generator was the bottleneck so many times is above what it can measure. */
const MOST_INVALID = 2

interface Rate {
  readonly rate: number
  held: number
  missed: number
  invalid: number
}

/**
 * The search as a pure function of what was seen so far: grows the rate geometrically until it misses, bisects what lies
 * between, and then measures both sides once more, since a single run may hold or miss by chance. A rate that did both is
 * measured a third time, and the majority counts. It has no clock and sends nothing.
 */
export function nextMove(options: KneeOptions, runs: readonly KneeRun[]): KneeMove {
  const rates = tallied(runs)
  const { low, high } = bracket(rates)
  if (runs.length >= options.most_runs) return { kind: 'done', knee: believed(rates, high), why: 'out-of-runs' }
  const open = [low, high].find((one) => one !== undefined && isOpen(one)) ?? rates.find(isUnknown)
  if (open !== undefined) return run(open.rate)
  if (low === undefined) return downwards(options, high)
  if (high === undefined) return upwards(options, low)
  if (high.rate / low.rate > 1 + options.tolerance) return run(Math.sqrt(low.rate * high.rate))
  if (low.held < 2) return run(low.rate)
  if (isCeiling(high)) return { kind: 'done', knee: low.rate, why: 'generator' }
  // The rate that missed may have missed by chance.
  if (high.missed < 2) return run(high.rate)
  return { kind: 'done', knee: low.rate, why: 'found' }
}

function downwards({ start, least }: KneeOptions, high: Rate | undefined): KneeMove {
  if (high === undefined) return run(start)
  if (high.rate > least) return run(Math.max(least, high.rate / GROWTH))
  if (isCeiling(high)) return { kind: 'done', knee: undefined, why: 'generator' }
  return high.missed < 2 ? run(high.rate) : { kind: 'done', knee: undefined, why: 'nothing-held' }
}

function upwards({ most }: KneeOptions, low: Rate): KneeMove {
  if (low.rate < most) return run(Math.min(most, low.rate * GROWTH))
  return low.held < 2 ? run(low.rate) : { kind: 'done', knee: low.rate, why: 'all-held' }
}

const run = (rate: number): KneeMove => ({ kind: 'run', rate })

/** As often one as the other: measured again before it counts. */
const isOpen = ({ held, missed }: Rate): boolean => held > 0 && held === missed

/** Seen, but nothing is known of it yet. */
const isUnknown = (one: Rate): boolean => one.held + one.missed === 0 && !isCeiling(one)

const isCeiling = ({ held, missed, invalid }: Rate): boolean => held + missed === 0 && invalid >= MOST_INVALID

const holds = ({ held, missed }: Rate): boolean => held > missed

/** The lowest rate that does not hold, and the highest below it that does. */
function bracket(rates: readonly Rate[]): { readonly low: Rate | undefined; readonly high: Rate | undefined } {
  const high = rates.find((one) => !holds(one) && !isUnknown(one))
  const low = rates.findLast((one) => holds(one) && (high === undefined || one.rate < high.rate))
  return { low, high }
}

function believed(rates: readonly Rate[], high: Rate | undefined): number | undefined {
  return rates.findLast((one) => holds(one) && one.held >= 2 && (high === undefined || one.rate < high.rate))?.rate
}

/** By rate, the lowest first. */
function tallied(runs: readonly KneeRun[]): readonly Rate[] {
  const rates = new Map<number, Rate>()
  for (const { rate, outcome } of runs) {
    const one = rates.get(rate) ?? { rate, held: 0, missed: 0, invalid: 0 }
    one[outcome] += 1
    rates.set(rate, one)
  }
  return [...rates.values()].toSorted((left, right) => left.rate - right.rate)
}
