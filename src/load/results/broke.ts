import type { Objectives } from '#spec/profile'
import type { Numbers } from '../k6/lines.ts'
import type { Broke } from '../load-report.ts'
import { isCut, isLost } from './died.ts'
import { checkObjectives, missed } from './objectives.ts'
import { histogramOf, quantile, total, waitsOf } from './readings.ts'
import { iterationsASecond } from './throughput.ts'
import { WINDOW_S } from './timeline.ts'

/** What a climb is held to. */
export interface Terms {
  /** How many iterations are due between two moments, in seconds since 1970. */
  readonly due: (from: number, to: number) => number
  readonly latency: NonNullable<Objectives['latency']>
  /** How late the generator may be at p99. */
  readonly lag_bound_ms: number
}

/** So many windows after each other are no restart and no hiccup. */
const WINDOWS = 3

/** A generator that is late for so many catches up no more while the rate climbs. */
const LATE_WINDOWS = 6

/**
 * Of all requests, and no fewer than so many errors. A service may fail at times, with each third create for example, at any
 * rate; one of whose answers most are failures is broken, and was so as soon as they were more than a few.
 */
const ERRORS = { few: 0.1, most: 0.5, least: 3 }

/** Of fewer times no percentile is told. */
const TIMES = 10

/** Fewer iterations than this share of those that are due. */
const BEHIND = 0.8

/** What a window tells of the target; `unknown` where the generator was late itself. */
type Told = { readonly kind: 'held' | 'unknown' } | { readonly kind: 'failing' | 'broke'; readonly why: string }

/**
 * Where an ever higher rate was too much: the first of some windows after each other in each of which the target failed, was
 * too slow or took users longer than there are users. Refusals for the limits of a key are none of that. A generator that is
 * late itself may miss answers, but makes up no 5xx; one that is so for long is what gave way.
 *
 * @param windows that are over, of all processes together, in order, with their start in seconds since 1970
 * @returns undefined as long as it holds
 */
export function brokeIn(
  windows: readonly (readonly [at: number, numbers: Numbers])[],
  started: number,
  terms: Terms,
): Broke | undefined {
  const told = windows.map(([at, numbers]) => toldIn(at, numbers, terms))
  const sure = inARow(told, 'broke', WINDOWS)
  const late = inARow(told, 'unknown', LATE_WINDOWS)
  const first = sure === undefined ? late : told.slice(0, sure).findLastIndex(({ kind }) => kind !== 'failing') + 1
  const [at, one] = first === undefined ? [] : [windows[first]?.[0], told[first]]
  if (at === undefined || one === undefined) return undefined
  const held = windows.slice(0, first).filter((_, place) => told[place]?.kind === 'held')
  const most = Math.max(0, ...held.map(([, numbers]) => begunIn(numbers) / WINDOW_S))
  return {
    by: sure === undefined ? 'generator' : 'target',
    at_s: Math.max(0, at - started),
    rate_per_s: rounded(terms.due(at, at + WINDOW_S) / WINDOW_S),
    held_per_s: most === 0 ? null : rounded(most),
    why: 'why' in one ? one.why : `it was late itself for ${LATE_WINDOWS * WINDOW_S} s`,
  }
}

/** Where so many windows after each other begin that are of one kind. */
function inARow(told: readonly Told[], kind: Told['kind'], count: number): number | undefined {
  const first = told.findIndex((_, place) => {
    const next = told.slice(place, place + count)
    return next.length === count && next.every((one) => one.kind === kind)
  })
  return first === -1 ? undefined : first
}

const rounded = (rate: number): number => Number(rate.toPrecision(2))

const begunIn = (numbers: Numbers): number => total(numbers, 'iterations', (key) => key === 'begun')

function toldIn(at: number, numbers: Numbers, { due, latency, lag_bound_ms }: Terms): Told {
  const begun = begunIn(numbers)
  const failed = total(numbers, 'errors', isFailure)
  const isLate = lags.some((name) => quantile(histogramOf(numbers, name), 0.99) > lag_bound_ms)
  const errors = failed + (isLate ? 0 : total(numbers, 'errors', isLost) + total(numbers, 'conversations', isCut))
  const share = errors / (errors + answersIn(numbers))
  if (errors >= ERRORS.least && share >= ERRORS.few)
    return { kind: share >= ERRORS.most ? 'broke' : 'failing', why: `${errors} errors in ${WINDOW_S} s` }
  if (isLate) return { kind: 'unknown' }
  const results = checkObjectives({ latency: toldOf(latency, numbers) }, { ...nothingElse, numbers })
  const slow = results.find(({ holds, got }) => !holds && got !== null)
  if (slow !== undefined) return { kind: 'broke', why: missed(slow) }
  const wanted = Math.round(due(at, at + WINDOW_S))
  return wanted >= TIMES && begun < BEHIND * wanted
    ? { kind: 'broke', why: `only ${begun} of ${wanted} iterations found a free user in ${WINDOW_S} s` }
    : { kind: 'held' }
}

const answersIn = (numbers: Numbers): number =>
  ['create', 'close', 'request'].reduce((sum, name) => sum + histogramOf(numbers, name).total, 0)

const lags = ['handler_lag', 'timer_lag']

/** An answer that tells of a failure of the service, or that capacity lacks. */
const isFailure = (key: string): boolean => / 5\d\d | 30008$| server_error$/.test(key)

const nothingElse = { scheduled_ms: 0, dropped: 0, timeline: [] }

/** Those of the bounds whose operation was timed often enough. */
const toldOf = (latency: Terms['latency'], numbers: Numbers): Terms['latency'] =>
  Object.fromEntries(Object.entries(latency).filter(([operation]) => waitsOf(numbers, operation).total >= TIMES))

/** For people. */
export function brokeText({ by, at_s, rate_per_s, held_per_s, why: because }: Broke): string {
  const before =
    held_per_s === null ? 'no lower rate held before' : `the highest rate that held is ${held_per_s} a second`
  return `the ${by === 'target' ? 'target broke' : 'generator gave way'} ${at_s.toFixed(0)} s after the start, at ${iterationsASecond(rate_per_s)} (${because}); ${before}`
}
