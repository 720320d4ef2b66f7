import { isRecording } from '#judge/recordings'
import type { Report, Rule } from '#judge/rule'
import type { RequirementId } from '#spec/register'
import { limitOf, logByKey, pauseAsked, pauseByOurClock, sentBetween, type SentRequest, sentSince } from './rate-log.ts'
import { mayBeShared } from './rate.rules.ts'

const truthful: RequirementId = 'errors.code-10008.retry-after-truthful'
const recovers: RequirementId = 'limits.api-key-rate.recovers'
const perKey: RequirementId = 'limits.api-key-rate.per-key'

const minute = 60_000
const slack = 1_000
/** Clocks that are further from each other, in milliseconds, tell two times: dates have whole seconds. */
const apart = 2_000
/** Timers may be a little early. */
const tolerance = 10
/** One lie, or two, may be somebody else's use of the key. */
export const liesThatTell = 3
/** So may be one such row of lies, or one refusal after a quiet minute: it has to come again, long after. */
const convictions = 2
/** Rounds in which another key was refused. */
const rounded = 2
/** After so long without a request every reading of a minute is over. */
const quiet = 65_000

/** A `Retry-After` tells the truth, and a key that has waited is admitted again, whichever key was limited. */
export const pauses: Rule = {
  id: 'limits.pauses',
  proves: [truthful, recovers],
  judge(trace, report) {
    // Other instances of an app share its key, and a recording does not show them.
    const recorded = isRecording(trace)
    for (const [key, log] of logByKey(trace)) {
      const limit = limitOf(trace, key)
      judgePauses(log, limit, recorded || mayBeShared(log, limit) ? cautious(report) : report)
      admitDoubt(log, report)
    }
  },
}

/** A report that blames nobody: somebody else may be using the key. */
function cautious(report: Report): Report {
  return {
    ...report,
    broken: (row, { lines }) => report.unobserved(row, 'quota', 'somebody else may have used the key', ...lines),
  }
}

/** Refusals in a row. */
interface Waiting {
  readonly refusals: readonly SentRequest[]
  readonly lied: number
  /** Our own requests of the minute before explain the first. */
  readonly ours: boolean
  /** The first came after a quiet minute that followed such a row of lies. */
  readonly afterQuiet: boolean
}

const nothing: Waiting = { refusals: [], lied: 0, ours: false, afterQuiet: false }

/** What goes against a row, if it comes often enough. */
interface Charge {
  readonly row: RequirementId
  readonly expected: string
  readonly got: string
  /** When the refusals began. */
  readonly since: number
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

function judgePauses(log: readonly SentRequest[], limit: number, report: Report): void {
  let waiting = nothing
  const charges: Charge[] = []
  for (const [place, sent] of log.entries()) {
    if (sent.code === undefined) continue
    const honest = hasWaited(log, place, waiting)
    if (!sent.refused) {
      judgeAdmitted(sent, waiting, report)
      waiting = besides(log, sent, waiting, limit)
    } else {
      // Where our own requests do not explain it, somebody else has used up the key.
      const ours = waiting.refusals.length === 0 ? admittedBefore(log, sent) >= limit : waiting.ours
      const lied = waiting.lied + (honest ? 1 : 0)
      if (honest && ours) charges.push(...chargesOf(sent, { ...waiting, lied }))
      waiting =
        honest && lied >= liesThatTell && wasQuiet(sent, waiting)
          ? { refusals: [sent], lied: 0, ours, afterQuiet: true }
          : { ...waiting, refusals: [...waiting.refusals, sent], lied, ours }
    }
  }
  for (const row of [truthful, recovers] as const) {
    convict(
      charges.filter((charge) => charge.row === row),
      report,
    )
  }
}

/** Requests of the minute before a refusal that were carried out. */
function admittedBefore(log: readonly SentRequest[], { at, answerLine }: SentRequest): number {
  return sentSince(log, at - minute, answerLine).filter((one) => !one.refused).length
}

/** Whether a request came when the last refusal had allowed it, and nothing had gone out meanwhile. */
function hasWaited(log: readonly SentRequest[], place: number, { refusals }: Waiting): boolean {
  const since = lastAnswer(refusals)
  const due = dueAfter(refusals)
  const { at = 0 } = log[place] ?? {}
  if (since === undefined || due === undefined || at < due - tolerance) return false
  return log.slice(0, place).every((one) => one.answered <= at && one.at <= since)
}

/**
 * The refusals that were on their way beside a request that was admitted, which ends no wait for these: on a slow way it may
 * stand behind them.
 */
function besides(log: readonly SentRequest[], { at }: SentRequest, { refusals }: Waiting, limit: number): Waiting {
  const beside = refusals.filter(({ answered }) => answered > at)
  const [first] = beside
  return first === undefined ? nothing : { ...nothing, refusals: beside, ours: admittedBefore(log, first) >= limit }
}

function lastAnswer(refusals: readonly SentRequest[]): number | undefined {
  return refusals.length === 0 ? undefined : Math.max(...refusals.map(({ answered }) => answered))
}

/** When the last refusal allows the next request, and those that were under way beside it; undefined where one does not say. */
function dueAfter(
  refusals: readonly SentRequest[],
  due: (sent: SentRequest) => number | undefined = surelyDue,
): number | undefined {
  const last = refusals.toSorted((one, other) => one.answered - other.answered).at(-1)
  if (last === undefined) return undefined
  const dues = refusals.filter(({ answered }) => answered >= last.at).map((one) => due(one))
  return dues.every((one) => one !== undefined) ? Math.max(...dues) : undefined
}

function dueOf({ answered, headers }: SentRequest, clock?: number): number | undefined {
  const pause = pauseAsked(headers, clock)
  return pause === undefined ? undefined : answered + pause + slack
}

/**
 * When it is due by every clock: whose time the `Date` of an answer is, that of an edge in front or of the service itself, is
 * not said.
 */
function surelyDue(sent: SentRequest): number | undefined {
  const due = dueOf(sent)
  const pause = pauseByOurClock(sent.headers, sent.clock)
  return due === undefined || pause === undefined ? due : Math.max(due, sent.answered + pause + slack)
}

/** By our own clock where a date has no `Date` beside it: enough to see a promise kept, not to call it a lie. */
const dueByOurClock = (sent: SentRequest): number | undefined => dueOf(sent, sent.clock)

/** A date that only our own clock can be held against, or that two clocks hold for another time: nothing shows whether it is true. */
function admitDoubt(log: readonly SentRequest[], report: Report): void {
  const undecided = log.find((one) => one.refused && isDoubtful(one))
  if (undecided === undefined) return
  const reason = '`Retry-After` is a date, and no `Date` beside it says for sure what time it is there'
  report.unobserved(truthful, 'model_choice', reason, undecided.answerLine)
}

function isDoubtful(sent: SentRequest): boolean {
  const due = dueOf(sent)
  const [ours, sure] = [dueByOurClock(sent), surelyDue(sent)]
  return due === undefined ? ours !== undefined : (sure ?? due) - due > apart
}

/** Admitted when the refusals allowed it, whatever else had gone out meanwhile. */
function judgeAdmitted(sent: SentRequest, { refusals }: Waiting, report: Report): void {
  const [last, since] = [refusals.at(-1), lastAnswer(refusals)]
  if (last === undefined || since === undefined || sent.at < since) return
  report.held(recovers, last.answerLine, sent.answerLine)
  if (sent.at >= (dueAfter(refusals, dueByOurClock) ?? Number.POSITIVE_INFINITY) - tolerance)
    report.held(truthful, last.answerLine, sent.answerLine)
}

/** Nothing went out for so long before it. */
function wasQuiet(sent: SentRequest, { refusals }: Waiting): boolean {
  return sent.at - (lastAnswer(refusals) ?? sent.at) >= quiet
}

function chargesOf(sent: SentRequest, waiting: Waiting): Charge[] {
  const { refusals, lied } = waiting
  const many = lied >= liesThatTell
  const lines = [...refusals.slice(-2).map(({ answerLine }) => answerLine), sent.line, sent.answerLine]
  const since = refusals[0]?.at ?? sent.at
  const again = {
    row: truthful,
    expected: 'to be admitted after `Retry-After` and a second',
    got: '10008 again and again',
  }
  const quietly = { row: recovers, expected: 'to be admitted after a quiet minute', got: '10008' }
  // Any two of three tell: a row of lies now, a quiet minute now, or both before.
  const signs = [many, wasQuiet(sent, waiting), waiting.afterQuiet].filter(Boolean)
  const common = { lines, since, scenario: sent.scenario }
  return [...(many ? [{ ...again, ...common }] : []), ...(signs.length >= 2 ? [{ ...quietly, ...common }] : [])]
}

/** Whoever uses the key beside us does not come again just when nothing had gone out for so long. */
function convict(charges: readonly Charge[], report: Report): void {
  const [first] = charges
  if (first === undefined) return
  const later = charges.filter(({ since }) => since - first.since >= quiet)
  if (later.length + 1 < convictions) {
    cautious(report).broken(first.row, first)
    return
  }
  for (const charge of [first, ...later]) report.broken(charge.row, charge)
}

/** Requests of another key while one is exhausted: were the limit shared, they would be refused as well. */
export const otherKeys: Rule = {
  id: 'limits.other-keys',
  proves: [perKey],
  judge(trace, report) {
    const logs = logByKey(trace)
    const log = logs.get('rate_limited') ?? []
    const limit = limitOf(trace, 'rate_limited')
    const primary = logs.get('primary') ?? []
    const rounds = log.flatMap((refusal, place) => {
      if (!refusal.refused) return []
      const until = Math.min((log[place + 1]?.at ?? refusal.answered) + slack, exhaustedUntil(refusal))
      const beside = sentBetween(primary, refusal.answered, until)
      return beside.length === 0 ? [] : [{ refusal, beside }]
    })
    if (rounds.length === 0) return
    const elsewhere = primary.some((one) => one.refused && !rounds.some(({ beside }) => beside.includes(one)))
    const verdicts = rounds.map(({ refusal, beside }) => roundOf(refusal, beside, limit))
    for (const [place, { refusal, beside }] of rounds.entries()) {
      if (verdicts[place] === 'free') report.held(perKey, refusal.answerLine, ...beside.map(({ line }) => line))
    }
    if (verdicts.includes('free')) return
    if (elsewhere || verdicts.filter((one) => one === 'shared').length < rounded) {
      report.unobserved(perKey, 'model_choice', 'the other key may have been refused, or admitted, on its own account')
      return
    }
    const lines = rounds.flatMap(({ refusal, beside }) => [refusal.answerLine, ...beside.map(({ line }) => line)])
    const expected = 'requests of another key that are admitted'
    report.broken(perKey, { expected, got: '10008 while only one key was exhausted', lines: lines.slice(0, 12) })
  },
}

/** How long a refused key says that it stays so: what another key may do later tells nothing. */
function exhaustedUntil({ answered, headers }: SentRequest): number {
  return answered + Math.max(pauseAsked(headers) ?? slack, slack)
}

function roundOf(refusal: SentRequest, beside: readonly SentRequest[], limit: number): 'free' | 'shared' | 'open' {
  const last = Math.max(...beside.map(({ answered }) => answered))
  const given = 1 + ((last - refusal.answered) / minute) * limit
  const admitted = beside.filter(({ code, refused }) => code !== undefined && !refused).length
  if (admitted > given) return 'free'
  return beside.length > given && beside.filter(({ refused }) => refused).length >= beside.length - 1
    ? 'shared'
    : 'open'
}
