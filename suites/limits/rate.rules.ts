import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { placeAfter } from '#trace/first-place'
import { limitOf, logByKey, sentBetween, type SentRequest, sentSince } from './rate-log.ts'

const key = 'rate_limited'
const exceeding: readonly RequirementId[] = ['limits.api-key-rate.exceeding-refused', 'errors.code-10008.rate-exceeded']
const below: RequirementId = 'limits.api-key-rate.below-limit-admitted'
const reads: RequirementId = 'limits.api-key-rate.counts-reads'
/** Requests that are beyond reproach, each sent several times while the key is exhausted. */
const kinds: readonly (readonly [row: RequirementId, operation: string])[] = [
  ['limits.api-key-rate.counts-creates', 'create-avatar-session'],
  ['limits.api-key-rate.counts-creates', 'create-session-from-character'],
  ['limits.api-key-rate.counts-characters', 'list-characters'],
  ['limits.api-key-rate.counts-characters', 'replace-character'],
  ['limits.api-key-rate.counts-voices', 'list-voices'],
  ['limits.api-key-rate.counts-voices', 'upload-audio'],
  ['limits.api-key-rate.counts-worlds', 'create-world-session'],
]

const minute = 60_000
/** Reads that are refused beside something else, and since when. */
const telling = 5
const moment = 2_000
/** Beyond any reading of a minute: two windows, of which the older one may still weigh, and what a request needs on its way. */
export const lookback = 125_000
const reading = new Set(['get-avatar-session', 'list-avatar-sessions'])

/** Section 8: so many requests a minute, over all REST calls, in any reading of "a minute". */
export const rate: Rule = {
  id: 'limits.rate',
  proves: [...exceeding, below, reads, ...new Set(kinds.map(([row]) => row))],
  judge(trace, report) {
    const log = logByKey(trace).get(key) ?? []
    const limit = limitOf(trace, key)
    judgeExceeding(log, limit, report)
    judgeBelow(log, limit, trace.since, report)
    const spans = spansBetween(log, limit)
    for (const kind of kinds) judgeKind(log, spans, kind, report)
    seeWindow(trace, report)
  },
}

function judgeExceeding(log: readonly SentRequest[], limit: number, report: Report): void {
  const refused = log.find((one) => one.refused)
  if (refused !== undefined) for (const row of exceeding) report.held(row, refused.line, refused.answerLine)
  judgeUnlimited(log, limit, exceeding, report)
  const reader = log.filter(({ operation }) => operation !== null && reading.has(operation))
  const refusedRead = reader.find((one) => one.refused)
  if (refusedRead !== undefined) report.held(reads, refusedRead.line, refusedRead.answerLine)
  judgeUnlimited(reader, limit, [reads], report)
  for (const kind of reading) {
    judgeUnlimited(
      log.filter(({ operation }) => operation === kind),
      limit,
      [reads],
      report,
    )
  }
}

/** More than twice the limit were carried out in one minute, measured from before the first to after the last. */
function judgeUnlimited(
  log: readonly SentRequest[],
  limit: number,
  rows: readonly RequirementId[],
  report: Report,
): void {
  const many = 2 * limit + 2
  for (const [place, last] of log.entries()) {
    const first = log[place - many + 1]
    if (first === undefined || last.answered - first.at > minute) continue
    const all = log.slice(place - many + 1, place + 1)
    if (all.some((one) => one.refused || one.code === undefined)) continue
    const got = `${many} requests carried out within ${Math.round(last.answered - first.at)} ms`
    const expected = `10008 at the latest at twice ${limit} requests a minute`
    const lines = [first.line, last.answerLine]
    for (const row of rows) report.broken(row, { expected, got, lines, scenario: last.scenario })
    return
  }
}

/**
 * The first refusal after a while must not come before the limit is reached. Others may use the key: what went before the
 * run is unknown, a later round that goes well clears the target, and one that fails otherwise than those before it proves
 * nothing.
 */
function judgeBelow(log: readonly SentRequest[], limit: number, begin: number, report: Report): void {
  const rounds = roundsOf(log, limit)
  for (const { sent, early } of rounds) if (!early) report.held(below, sent.line, sent.answerLine)
  const last = rounds.at(-1)
  if (last?.early !== true) return
  const before = rounds.at(-2)
  const alike = before?.early === true && isAlike(before, last, limit) ? before : undefined
  const { sent, count } = last
  if (sent.at - begin < lookback || alike === undefined) {
    report.unobserved(below, 'quota', 'somebody else may have used the key', sent.answerLine)
    return
  }
  report.broken(below, {
    expected: `no 10008 before ${limit} requests in a minute`,
    got: `10008 after ${alike.count}, and after ${count} in ${lookback / 1000} s`,
    lines: [alike.sent.line, alike.sent.answerLine, sent.line, sent.answerLine],
    scenario: sent.scenario,
  })
}

/**
 * Two rounds end after as many requests, but for what the limit gave back while they lasted. Very few may be what another
 * run left over both times.
 */
function isAlike(one: Round, other: Round, limit: number): boolean {
  if (Math.min(one.count, other.count) < limit / 4) return false
  const given = ((one.lasted + other.lasted) / minute) * limit
  return Math.abs(one.count - other.count) <= 2 + given
}

/** Whether a key was refused early, and no round since then went well: then somebody else may be using it. */
export function mayBeShared(log: readonly SentRequest[], limit: number): boolean {
  return roundsOf(log, limit).at(-1)?.early === true
}

function roundsOf(log: readonly SentRequest[], limit: number): readonly Round[] {
  const rounds = [...firstRefusals(log, limit), ...wholeMinutes(log, limit)]
  return rounds.toSorted((one, other) => one.sent.line - other.sent.line)
}

interface Round {
  readonly sent: SentRequest
  /** Requests that got through before it or beside it, and for how many milliseconds they went out. */
  readonly count: number
  readonly lasted: number
  readonly early: boolean
}

function firstRefusals(log: readonly SentRequest[], limit: number): readonly Round[] {
  let lastRefused: SentRequest | undefined
  return log.flatMap((sent) => {
    if (!sent.refused) return []
    const before = lastRefused
    lastRefused = sent
    if (before !== undefined && before.at >= sent.at - lookback) return []
    // What was under way beside it may have come first.
    const earlier = sentSince(log, sent.at - lookback, sent.answerLine).filter((one) => one !== sent)
    const lasted = sent.at - (earlier[0]?.at ?? sent.at)
    const count = earlier.filter(({ refused }) => !refused).length
    return [{ sent, count, lasted, early: earlier.length < limit }]
  })
}

/** Requests that were carried out as the last of as many in a minute as the limit allows. */
function wholeMinutes(log: readonly SentRequest[], limit: number): readonly Round[] {
  let inARow = 0
  return log.flatMap((sent, place) => {
    inARow = sent.code === undefined || sent.refused ? 0 : inARow + 1
    const first = log[place - limit + 1]
    const whole = inARow >= limit && first !== undefined && sent.at - first.at <= minute
    return whole ? [{ sent, count: limit, lasted: sent.at - first.at, early: false }] : []
  })
}

/** Between two refusals no more of a kind may be carried out than the limit gives back meanwhile. */
function judgeKind(
  log: readonly SentRequest[],
  spans: readonly Span[],
  [row, kind]: (typeof kinds)[number],
  report: Report,
): void {
  const refused = log.find((one) => one.refused && one.operation === kind)
  if (refused !== undefined) report.held(row, refused.line, refused.answerLine)
  for (const { before, after, carriedOut, given } of spans) {
    const made = carriedOut.filter(({ operation }) => operation === kind)
    if (made.length <= given + outOfMinute(log, before, after) || !isExhausted(log, before, after, given)) continue
    const got = `${made.length} times ${kind} carried out within ${Math.round(after.answered - before.answered)} ms`
    const lines = [before.answerLine, ...made.map(({ line }) => line), after.answerLine]
    report.broken(row, { expected: `${kind} refused as well`, got, lines, scenario: before.scenario })
    return
  }
}

/**
 * Requests that a minute which slides along may have let go of meanwhile. What was sent in a burst is given back in a burst,
 * and whether refused requests count is not shown.
 */
function outOfMinute(log: readonly SentRequest[], before: SentRequest, after: SentRequest): number {
  return log.filter(({ at, answered }) => at <= after.answered - minute && answered >= before.at - minute).length
}

/**
 * Whether reads were refused all that time, and just before. A service may count on each of its nodes: then one has something
 * left where another is exhausted, but not for other requests alone.
 */
function isExhausted(log: readonly SentRequest[], before: SentRequest, after: SentRequest, given: number): boolean {
  const asked = log.filter(({ operation }) => operation !== null && reading.has(operation))
  const earlier = asked.filter(({ line, at }) => line <= before.answerLine && at >= before.at - moment)
  const inside = asked.filter(({ line }) => line > before.answerLine && line <= after.answerLine)
  const row = earlier.slice(earlier.findLastIndex((one) => !one.refused) + 1)
  const refused = inside.filter((one) => one.refused).length
  return row.length + refused >= telling && inside.length - refused <= given
}

/** The time from one refusal to another. */
interface Span {
  readonly before: SentRequest
  readonly after: SentRequest
  readonly carriedOut: readonly SentRequest[]
  /** How many requests the limit gives back meanwhile, and one. */
  readonly given: number
}

/** Those in which something was carried out, and not as much as a new minute would have let through. */
function spansBetween(log: readonly SentRequest[], limit: number): readonly Span[] {
  const refusals = log.filter((one) => one.refused)
  const admitted = log.filter(({ code, refused }) => code !== undefined && !refused)
  const spans: Span[] = []
  for (const [place, before] of refusals.entries()) {
    const begin = placeAfter(admitted, before.answerLine)
    for (let next = place + 1; next < refusals.length; next += 1) {
      const after = refusals[next]
      // In a minute the limit gives back all that it has: nothing is too much then.
      if (after === undefined || after.at - before.answered >= minute) break
      const lasted = after.answered - before.answered
      const inside = lasted < minute ? answeredWithin(admitted, begin, after.answerLine, limit) : []
      const carriedOut = inside.length < limit ? inside.filter(({ code }) => code === 0) : []
      if (carriedOut.length > 0) spans.push({ before, after, carriedOut, given: 1 + (lasted / minute) * limit })
    }
  }
  return spans
}

/** From a place of the log on, what was sent and answered before a line; no more of it than `most`. */
function answeredWithin(
  log: readonly SentRequest[],
  begin: number,
  line: number,
  most: number,
): readonly SentRequest[] {
  const found: SentRequest[] = []
  for (let place = begin; place < log.length && found.length < most; place += 1) {
    const one = log[place]
    if (one === undefined || one.line >= line) break
    if (one.answerLine < line) found.push(one)
  }
  return found
}

function seeWindow(trace: TraceIndex, report: Report): void {
  const log = logByKey(trace).get(key) ?? []
  const first = log.find((one) => one.refused)
  if (first === undefined) return
  const count = sentBetween(log, first.at - minute, first.at).length
  report.saw('limits.api-key-rate.window', `${count} requests in the minute before the first 10008`, first.answerLine)
  for (const record of trace.exchanges.values()) {
    if (record.key !== 'none' && record.key !== 'malformed') continue
    const refused = record.attempts.find(({ response }) => response?.entry.status === 429)
    if (refused?.response === undefined) continue
    report.saw('limits.api-key-rate.unauthenticated-requests', 'limited', refused.response.line)
  }
}
