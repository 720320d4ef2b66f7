import { broken, held, type Law, type Ruling } from './laws.ts'
import { isAnswered, isRefused, type RateRequest, type RateTerms, SLACK_MS, waitOf } from './rate-log.ts'

/** One refusal after an honest wait, or two, may be somebody else's use of the key; so many in a row are not. */
const LIES = 3

/** Timers may be a little early. */
const TOLERANCE_MS = 10

const law: Law = 'retry-after-untruthful'

/** Refusals in a row, of which some came though the wait that was announced had passed. */
interface Row {
  refusals: RateRequest[]
  lies: number
}

/**
 * A request that is sent after the announced wait, and a second more, is admitted, where nothing else was sent meanwhile.
 * Somebody else may take what becomes free, so three such refusals in a row convict, once they came in two rows.
 */
export function judgeWaits(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const answered = log.filter(isAnswered)
  const rows: Row[] = []
  let row: Row = { refusals: [], lies: 0 }
  let truthful = false
  for (const request of answered) {
    const waited = hasWaited(answered, request, row.refusals)
    if (!isRefused(request)) {
      truthful ||= waited
      row = { refusals: [], lies: 0 }
      continue
    }
    if (isQuiet(row.refusals, request, terms)) row = { refusals: [], lies: 0 }
    row.refusals.push(request)
    if (waited) row.lies += 1
    if (row.lies === LIES && !rows.includes(row)) rows.push(row)
  }
  if (rows.length >= 2)
    return [broken(law, `refused ${LIES} times in a row after the announced wait, in ${rows.length} rows`)]
  return truthful && rows.length === 0 ? [held(law)] : []
}

/** After so long without a request, what comes belongs to another row. */
function isQuiet(refusals: readonly RateRequest[], { answer }: RateRequest, { minuteMs }: RateTerms): boolean {
  const last = lastAnswered(refusals)
  return last !== undefined && answer.sentAt - last >= minuteMs + SLACK_MS
}

/** Whether it came when all refusals before had allowed it, and nothing had gone out since the last of them. */
function hasWaited(log: readonly RateRequest[], request: RateRequest, refusals: readonly RateRequest[]): boolean {
  const last = lastAnswered(refusals)
  if (last === undefined) return false
  const latest = refusals.find(({ answer }) => answer.answeredAt === last)
  const beside = refusals.filter(({ answer }) => answer.answeredAt >= (latest?.answer.sentAt ?? last))
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
