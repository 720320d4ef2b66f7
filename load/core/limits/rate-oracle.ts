import { broken, held, type Law, type Ruling } from './laws.ts'
import {
  bySending,
  CONVICTIONS,
  isAnswered,
  isCarriedOut,
  isReadable,
  isRefused,
  lookbackOf,
  possiblyBefore,
  type RateRequest,
  type RateTerms,
} from './rate-log.ts'
import { areWaitsDoubtful, judgeWaits } from './rate-waits.ts'

/**
 * Judges the limit of one key by everything that was sent with it, whether the target counts in fixed or sliding windows or
 * by a token bucket. "60 requests per minute" (section 8) says nothing of the window, so a key must be refused only beyond
 * twice its limit in a minute, and must not be refused before its limit is reached.
 */
export function judgeRate(requests: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const log = bySending(requests)
  return [
    ...judgeForm(log),
    ...judgeUnlimited(log, terms),
    ...judgeCode(log, terms),
    ...judgeEarly(log, terms),
    ...judgeStray(log, terms),
    ...judgeWaits(log, terms),
  ]
}

/**
 * "per key" (section 8): a second key, which has sent next to nothing, is admitted while the first is refused.
 * @param rounds what the second key was answered while the first was refused, once for each time
 */
export function judgeOtherKey(
  rounds: readonly (readonly RateRequest[])[],
  log: readonly RateRequest[],
  terms: RateTerms,
): Ruling[] {
  const law: Law = 'rate-other-key-refused'
  const told = rounds.filter((round) => round.some(isAnswered))
  if (told.some((round) => round.some(isCarriedOut))) return [held(law)]
  const shared = told.filter((round) =>
    round.every((one) => isRefused(one) && possiblyBefore(log, one, terms).length < terms.limit),
  )
  if (shared.length < CONVICTIONS) return []
  return [broken(law, `a second key was refused in ${shared.length} rounds in which the first had reached its limit`)]
}

function judgeForm(log: readonly RateRequest[]): Ruling[] {
  const refused = log.filter(isRefused)
  const checks: [Law, (request: RateRequest) => string | undefined][] = [
    ['rate-wrong-status', ({ answer }) => (answer.status === 429 ? undefined : `10008 under HTTP ${answer.status}`)],
    [
      'retry-after-missing',
      ({ answer }) => (answer.retryAfter === undefined ? 'a 10008 without Retry-After' : undefined),
    ],
    ['retry-after-unreadable', unreadable],
  ]
  return checks.flatMap(([law, check]) => {
    const got = refused.map(check).find((one) => one !== undefined)
    return refused.length === 0 ? [] : [got === undefined ? held(law) : broken(law, got)]
  })
}

function unreadable(request: RateRequest): string | undefined {
  const { retryAfter } = request.answer
  return retryAfter === undefined || isReadable(request) ? undefined : `Retry-After: ${retryAfter.slice(0, 40)}`
}

/** More than twice the limit carried out within a minute, measured from before the first to after the last of them. */
export function judgeUnlimited(requests: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const law: Law = 'rate-never-refused'
  const many = 2 * terms.limit + 2
  const answered = bySending(requests).filter(isAnswered)
  let row: RateRequest[] = []
  for (const request of answered.filter(isCarriedOut)) {
    row = [...row.slice(1 - many), request]
    if (row.length < many) continue
    const lasted = Math.max(...row.map(({ answer }) => answer.answeredAt)) - (row[0]?.answer.sentAt ?? 0)
    if (lasted <= terms.minuteMs) return [broken(law, `${many} requests carried out within ${Math.round(lasted)} ms`)]
  }
  return answered.some(isRefused) ? [held(law)] : []
}

/** Fewer answers with another code may be chance. */
const STRANGE = 3

/** Requests that were carried out before, and that something else than 10008 stops as soon as the limit is reached. */
function judgeCode(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const law: Law = 'rate-wrong-code'
  if (log.some(isRefused)) return judgeCodeAmongRefusals(log, terms)
  const strange = log.filter((one) => isAnswered(one) && !isCarriedOut(one))
  const beyond = strange.filter((one) => possiblyBefore(log, one, terms).length >= terms.limit)
  const [first] = beyond
  if (first === undefined || beyond.length < STRANGE || beyond.length < strange.length) return []
  return [broken(law, `${first.answer.code} beyond ${terms.limit} requests a minute`)]
}

/** Codes of section 7. An edge that guards itself has others. */
const LISTED = /^[123]\d{4}$/

/** What nothing else can stand in the way of: creates may lack a place or capacity. */
const LIST = 'list-avatar-sessions'

/**
 * Some refusals with another code between those with 10008: of a request that nothing else is wrong with, never before the
 * limit is reached, and often enough to be no chance.
 */
function judgeCodeAmongRefusals(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const law: Law = 'rate-wrong-code'
  const same = log.filter(({ operation = LIST }) => operation === LIST)
  const strange = same.filter((one) => isAnswered(one) && !isRefused(one) && LISTED.test(one.answer.code))
  const refused = log.filter(isRefused)
  const between = strange.filter(
    (one) =>
      possiblyBefore(log, one, terms).length >= terms.limit &&
      refused.some(({ answer }) => answer.answeredAt <= one.answer.sentAt) &&
      refused.some(({ answer }) => answer.sentAt >= one.answer.answeredAt),
  )
  const [first] = between
  if (first === undefined || between.length < STRANGE || strange.length > 2 * between.length) return [held(law)]
  return [broken(law, `${first.answer.code} between refusals with 10008, ${between.length} times`)]
}

/** The first refusals after a while in which there were none. */
interface Round {
  /** How many requests were counted before the first of them, at most. */
  readonly admitted: number
  /** For how many milliseconds they went out. */
  readonly lasted: number
}

/**
 * The first refusal after a while must not come before the limit is reached. Others may have used the key before this run,
 * and may use it beside us: only two rounds that end after as many requests convict, the second after a while in which all
 * that was sent is known; after very few requests, both.
 */
function judgeEarly(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const rounds = roundsOf(log, terms)
  const [one, other] = rounds.slice(-2)
  if (one === undefined) return []
  // Whatever came between: the requests of a minute are not all that a key has for four.
  if (rounds.slice(1).filter(({ admitted }) => admitted === 0).length > 1)
    return [broken('rate-never-recovers', 'refused after two minutes without a request, twice')]
  if ((other ?? one).admitted >= terms.limit) return [held('rate-refused-early'), held('rate-never-recovers')]
  if (other === undefined) return []
  if (one.admitted === 0 && other.admitted === 0)
    return [broken('rate-never-recovers', 'refused after two minutes without a request, twice')]
  // What another run left over is gone after the first silence.
  const leftOver = rounds.length === 2
  if (!isAlike(one, other, terms) || (leftOver && one.admitted < terms.limit / 4)) return []
  const got = `refused after ${one.admitted} and after ${other.admitted} of ${terms.limit} requests a minute`
  return [broken('rate-refused-early', got)]
}

/** So many that are carried out at once after a refusal, beside twice what a minute gives back meanwhile, are no chance. */
const AT_ONCE = 10

/**
 * Refusals before the limit is reached, right after which many are carried out: it was not the limit that refused. Once a
 * window may have begun just then in which somebody else had been busy; so two convict, with a silence between them.
 */
function judgeStray(log: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const strays = straysIn(log, terms)
  if (strays < CONVICTIONS) return []
  const got = `refused before ${terms.limit} requests a minute, and let in at once after it, ${strays} times`
  return [broken('rate-refused-early', got)]
}

/** How many there were, of those that a silence keeps apart. */
function straysIn(log: readonly RateRequest[], terms: RateTerms): number {
  let [strays, until] = [0, Number.NEGATIVE_INFINITY]
  for (const refusal of log.filter(isRefused)) {
    const { sentAt, answeredAt } = refusal.answer
    if (sentAt < until || !isStray(log, refusal, terms)) continue
    strays += 1
    until = answeredAt + lookbackOf(terms)
  }
  return strays
}

function isStray(log: readonly RateRequest[], refusal: RateRequest, terms: RateTerms): boolean {
  const { sentAt, answeredAt } = refusal.answer
  const counted = possiblyBefore(log, refusal, terms).filter((one) => !isRefused(one))
  if (counted.length >= terms.limit) return false
  return log
    .filter((one) => isCarriedOut(one) && one.answer.sentAt >= answeredAt)
    .map(({ answer }) => answer.answeredAt)
    .toSorted((one, other) => one - other)
    .some((at, index) => index + 1 >= AT_ONCE + 2 * ((at - sentAt) / terms.minuteMs) * terms.limit)
}

/** Whether something was strange that may be chance as long as it came in one round only. */
export function isDoubtful(requests: readonly RateRequest[], terms: RateTerms): boolean {
  const strays = straysIn(bySending(requests), terms)
  return areWaitsDoubtful(requests, terms) || (strays > 0 && strays < CONVICTIONS)
}

/**
 * Which refusal the target decided on first is not known where several were under way. Whichever it was, it was under way
 * when the first answer came; and all that a correct target has counted before it was carried out, and sent before the
 * last of these was answered.
 */
function roundsOf(log: readonly RateRequest[], terms: RateTerms): Round[] {
  const refusals = log.filter(isRefused).toSorted((one, other) => one.answer.answeredAt - other.answer.answeredAt)
  return refusals.flatMap((first, index) => {
    const { answeredAt } = first.answer
    const beside = refusals.filter(({ answer }) => answer.sentAt <= answeredAt && answer.answeredAt >= answeredAt)
    const begin = Math.min(...beside.map(({ answer }) => answer.sentAt)) - lookbackOf(terms)
    if (refusals.slice(0, index).some(({ answer }) => answer.answeredAt >= begin)) return []
    const end = Math.max(...beside.map(({ answer }) => answer.answeredAt))
    const counted = log.filter((one) => !isRefused(one) && one.answer.answeredAt >= begin && one.answer.sentAt <= end)
    const since = Math.min(end, ...counted.map(({ answer }) => answer.sentAt))
    return [{ admitted: counted.length, lasted: end - since }]
  })
}

/** As many requests in both, but for what the limit gave back meanwhile. */
function isAlike(one: Round, other: Round, { limit, minuteMs }: RateTerms): boolean {
  const given = ((one.lasted + other.lasted) / minuteMs) * limit
  return Math.abs(one.admitted - other.admitted) <= 2 + given
}
