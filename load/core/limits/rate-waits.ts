import { broken, held, type Law, type Ruling } from './laws.ts'
import {
  bySending,
  CONVICTIONS,
  EARLIER_MS,
  endOf,
  isAnswered,
  isCarriedOut,
  isRefused,
  type RateRequest,
  type RateTerms,
  SLACK_MS,
  waitOf,
  withSureDates,
} from './rate-log.ts'

/** One refusal after an honest wait, or two, may be somebody else's use of the key; so many in a row are not. */
const LIES = 3

/** Of its limit a key must have had so much just before: a little may have gone to whoever looked at the target first. */
const NEARLY_ALL = 0.9

/** Timers may be a little early. */
const TOLERANCE_MS = 10

/** Whole seconds, and what a request takes on its way, make the same end look so different. */
const SAME_END_MS = 2_000

const law: Law = 'retry-after-untruthful'

/** Refusals in a row, of which some came though the wait that was announced had passed. */
interface Row {
  refusals: RateRequest[]
  lies: number
  /** Whether one of them can't be somebody else's doing. */
  plain: boolean
}

/**
 * A request that is sent after the announced wait, and a second more, is admitted, where nothing else was sent meanwhile.
 * Somebody else may take what becomes free, so three such refusals in a row convict, once they came in two rows; or one in
 * each of two, where nobody could have taken all that had become free.
 */
export function judgeWaits(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const { untrue, truthful } = waitsIn(log, terms)
  if (untrue.length >= CONVICTIONS) {
    const lies = untrue.reduce((sum, one) => sum + one.lies, 0)
    return [broken(law, `refused ${lies} times after the announced wait, in ${untrue.length} rows`)]
  }
  return truthful && untrue.length === 0 ? [held(law)] : []
}

/** Whether some waits were not true, but not yet so often that it can't be chance: one more round tells. */
export function areWaitsDoubtful(log: readonly RateRequest[], terms: RateTerms): boolean {
  const { length } = waitsIn(bySending(log), terms).untrue
  return length > 0 && length < CONVICTIONS
}

/** The rows in which waits were not true, and whether one was. */
function waitsIn(log: readonly RateRequest[], terms: RateTerms): { untrue: readonly Row[]; truthful: boolean } {
  const answered = withSureDates(log.filter(isAnswered))
  const rows: Row[] = []
  let row = begin(rows)
  let truthful = false
  for (const request of answered) {
    const waited = hasWaited(answered, request, row.refusals)
    if (!isRefused(request)) {
      truthful ||= waited
      row = begin(rows)
      continue
    }
    if (isQuiet(row.refusals, request, terms)) row = begin(rows)
    if (waited) {
      row.lies += 1
      row.plain ||= isPlain(answered, row.refusals, terms)
    }
    row.refusals.push(request)
  }
  const untrue = rows.filter(({ lies, plain, refusals }) => lies >= LIES || plain || isContradicted(answered, refusals))
  return { untrue, truthful }
}

function begin(rows: Row[]): Row {
  const row: Row = { refusals: [], lies: 0, plain: false }
  rows.push(row)
  return row
}

/**
 * Whether nobody can have taken what became free: the key had its whole limit just before, so that nobody else was using it,
 * in so short a time that most of it comes back at once, and the wait was long.
 */
function isPlain(
  log: readonly RateRequest[],
  refusals: readonly RateRequest[],
  { limit, minuteMs }: RateTerms,
): boolean {
  const [first] = refusals
  const last = refusals.at(-1)
  if (first === undefined || last === undefined || (waitOf(last) ?? 0) < minuteMs / 2) return false
  const { sentAt, answeredAt } = first.answer
  const before = log
    .filter(isCarriedOut)
    .map(({ answer }) => answer.sentAt)
    .filter((at) => at >= sentAt - minuteMs && at <= answeredAt)
  return before.length >= NEARLY_ALL * limit && Math.max(...before) - Math.min(...before) <= minuteMs / 10
}

/**
 * Whether a refusal told of an earlier end than those before it, and those after that end tell of the same later one again:
 * then nobody took what became free meanwhile, since nothing did. Of several nodes that count apart, the one that told of
 * the earlier end would have admitted one of so many.
 */
function isContradicted(log: readonly RateRequest[], refusals: readonly RateRequest[]): boolean {
  return refusals.some((early, index) => {
    const [before, after] = [refusals.slice(0, index), refusals.slice(index + 1)]
    const end = endOf(early)
    const [next] = after
    if (end === undefined || next === undefined || after.length < LIES || !hasWaited(log, next, [...before, early]))
      return false
    const alike = [early, ...before, ...after].filter(({ operation }) => operation === early.operation)
    const later = alike.map(endOf).filter((one) => one !== undefined && one >= end + EARLIER_MS)
    const told = (among: readonly RateRequest[], at: number): number =>
      among.filter((one) => one.operation === early.operation && Math.abs((endOf(one) ?? 0) - at) <= SAME_END_MS).length
    return later.some((at) => at !== undefined && told(before, at) > 0 && told(after, at) >= LIES - 1)
  })
}

/** Whoever honours a wait of a whole minute is still in the same row; the silence between rounds is twice as long. */
const HONOURED_MS = 5_000

/** After so long without a request, what comes belongs to another row. */
function isQuiet(refusals: readonly RateRequest[], { answer }: RateRequest, { minuteMs }: RateTerms): boolean {
  const last = lastAnswered(refusals)
  return last !== undefined && answer.sentAt - last >= minuteMs + HONOURED_MS
}

/** Whether it came when all refusals before had allowed it, and nothing had gone out since the last of them. */
function hasWaited(log: readonly RateRequest[], request: RateRequest, refusals: readonly RateRequest[]): boolean {
  const last = lastAnswered(refusals)
  if (last === undefined) return false
  const latest = refusals.find(({ answer }) => answer.answeredAt === last)
  const beside = refusals.filter((one) => one === latest || one.answer.answeredAt > (latest?.answer.sentAt ?? last))
  const dues = beside.map(dueOf)
  if (!dues.every((due) => due !== undefined)) return false
  const { sentAt } = request.answer
  if (sentAt < Math.max(...dues) - TOLERANCE_MS) return false
  return log.every(
    (one) => one === request || one.answer.sentAt > sentAt || one.answer.answeredAt <= last + TOLERANCE_MS,
  )
}

function dueOf(refusal: RateRequest): number | undefined {
  const wait = waitOf(refusal)
  return wait === undefined ? undefined : refusal.answer.answeredAt + wait + SLACK_MS
}

function lastAnswered(refusals: readonly RateRequest[]): number | undefined {
  return refusals.length === 0 ? undefined : Math.max(...refusals.map(({ answer }) => answer.answeredAt))
}
