import type { CommonCount, CommonTime } from './common-measures.ts'
import { type Finding, type Findings, some } from './findings.ts'
import type { Workload } from '../workloads.ts'
import type { Tally } from './tally.ts'

/** What the run had to be, for its numbers to mean anything. */
export interface Terms {
  /** How many iterations the schedule has. */
  readonly iterations: number
  /** How many of them found no free user. */
  readonly dropped: number
  /** Whether keys have fewer sessions than the workload brings users. */
  readonly few_sessions: boolean
  /** Whether we ended it before its schedule did. */
  readonly ended_early?: boolean
  /** Whether texts that were still coming held the users. */
  readonly streaming?: boolean
}

/** What to do about a generator that was behind. */
const REMEDY = 'it needs a machine with less to do, or a lower rate'

/** So many requests that were never served are no accident, if they are so many of the iterations, too. */
const UNSERVED = { requests: 5, of_iterations: 0.1 }

/** Of fewer iterations than this share of the schedule nothing is said. */
const MOST = 0.9

/**
 * What holds for every scenario. Drops with a healthy generator are the target's: it held users longer than the workload
 * has room for, unless it is the keys that allow no more users at a time, or texts that come at the pace of speech. With a generator that is behind, nobody can say whose they are.
 */
export function judgeRun(
  tally: Tally<CommonCount, CommonTime>,
  { iterations, dropped, few_sessions, ended_early = false, streaming = false }: Terms,
): Findings {
  const counts = tally.counts('iterations')
  const begun = counts.get('begun') ?? 0
  const unended = begun - (counts.get('ended') ?? 0) - (counts.get('thrown') ?? 0)
  const missing = iterations - dropped - begun
  return {
    broken: [],
    trouble: [
      ...some(
        few_sessions || streaming ? 0 : dropped,
        `of ${iterations} iterations found no free user: the ones before took too long`,
      ),
      ...neverServed(tally, begun),
    ],
    invalid: [
      ...some(
        few_sessions ? dropped : 0,
        `of ${iterations} iterations found no free user: the keys allow no more sessions at a time (a lower --rate leaves them time to end)`,
      ),
      ...some(
        streaming && !few_sessions ? dropped : 0,
        `of ${iterations} iterations found no free user: texts were still coming, as at the pace of speech (a lower --rate leaves them time to end)`,
      ),
      ...(begun === 0 ? [{ text: 'no iteration began' }] : []),
      ...(begun > 0 && missing > 0 ? [{ text: `${begun + dropped} of ${iterations} iterations began` }] : []),
      ...some(ended_early ? 0 : unended, 'iterations did not come to an end'),
      ...some(counts.get('thrown') ?? 0, 'iterations broke off by a mistake of ours'),
      ...(begun < MOST * iterations && dropped > 0
        ? [{ text: `only ${begun} of ${iterations} iterations began` }]
        : []),
      ...nothingButRefusals(tally),
      ...nothingButSilence(tally),
    ],
  }
}

/** How late a generator may be. */
export interface LagBounds {
  readonly p99_ms: number
  readonly p50_ms: number
}

/** Of the bound for the few that are latest, so much is a lot for most. */
const USUAL = 0.1

/**
 * What the interface promises at any pace is judged as well by a generator that was a little late. Not so times: those that
 * laws rest on, and those that objectives name. One that is late nearly always gets too little of its time, whatever it does.
 *
 * @param timed whether anything that is judged rests on times
 */
export function lagBoundsOf(
  { lag_bound_ms, timeless_lag_bound_ms }: Pick<Workload, 'lag_bound_ms' | 'timeless_lag_bound_ms'>,
  timed: boolean,
): LagBounds {
  const p99_ms = timed ? lag_bound_ms : Math.max(lag_bound_ms, timeless_lag_bound_ms)
  return { p99_ms, p50_ms: USUAL * lag_bound_ms }
}

/**
 * Whether the generator was behind: what its users saw and sent is then said of nobody. Of several scenarios the one that it
 * served worst is told, since they share it.
 */
export function judgeGenerator(
  tallies: readonly Tally<CommonCount, CommonTime>[],
  { p99_ms, p50_ms }: LagBounds,
): Findings {
  const worst = (time: CommonTime, quantile: number): number =>
    Math.max(0, ...tallies.map((tally) => tally.time(time).quantile(quantile) ?? 0))
  const invalid = [
    ...behind(worst('handler_lag_ms', 0.99), p99_ms, 'events lay'),
    ...behind(worst('timer_lag_ms', 0.99), p99_ms, 'timers were late by'),
    ...starved(worst('timer_lag_ms', 0.5), p50_ms),
  ]
  return { broken: [], trouble: [], invalid }
}

function behind(lag: number, bound: number, what: string): Finding[] {
  if (lag <= bound) return []
  const text = `the generator was behind: ${what} ${lag.toFixed(1)} ms at p99, allowed are ${bound} ms (${REMEDY})`
  return [{ text }]
}

/**
 * A generator that stands still for most of each tenth of a second is never later than that, but late nearly always. What
 * arrives meanwhile seems to arrive when it goes on, so only its timers show it.
 */
function starved(lag: number, bound: number): Finding[] {
  if (lag <= bound) return []
  const text = `the generator got too little time: half of its timers were late by ${lag.toFixed(1)} ms, allowed are ${bound} ms (${REMEDY})`
  return [{ text }]
}

/** A few that found nobody for a while met a restart; many met a service that can't do what it was asked. */
function neverServed(tally: Tally<CommonCount, CommonTime>, begun: number): Finding[] {
  const unserved = tally.counts('retries').get('unserved') ?? 0
  const many = unserved >= Math.max(UNSERVED.requests, UNSERVED.of_iterations * begun)
  return many ? some(unserved, 'requests were answered by a 5xx each time, with all retries') : []
}

/** A run in which every request was refused with 429 measured a limit and nothing else. */
function nothingButRefusals(tally: Tally<CommonCount, CommonTime>): Finding[] {
  const limited = [...tally.counts('errors')].reduce((sum, [key, count]) => sum + (/ 429 /.test(key) ? count : 0), 0)
  const done = answered(tally)
  return limited > 0 && done === 0 ? [{ text: `every request was refused: ${limited} times 429 and nothing else` }] : []
}

/**
 * A run without a single answer says nothing of a target that answered just before: k6 may not trust its certificate, or
 * go another way than we do. (One that is gone after the run is called dead, whatever stands here.)
 */
function nothingButSilence(tally: Tally<CommonCount, CommonTime>): Finding[] {
  const errors = [...tally.counts('errors')].filter(([, count]) => count > 0)
  const all = errors.reduce((sum, [, count]) => sum + count, 0)
  if (all === 0 || answered(tally) > 0 || errors.some(([key]) => !key.endsWith(' 0 network'))) return []
  const text = `k6 got no answer to any of ${all} requests: does it trust the target's certificate ("ca_file" in the profile), and does it need a proxy ("proxy")?`
  return [{ text }]
}

const answered = (tally: Tally<CommonCount, CommonTime>): number =>
  tally.time('create_ms').total + tally.time('close_ms').total + tally.time('request_ms').total
