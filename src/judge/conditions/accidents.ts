import { isKeyCode, loadCodes } from '#spec/code-groups'
import { workspaceOf } from '#spec/profile'
import { isMishap, isOperationId, operations } from '#spec/tables'
import { mostFailuresInVain } from '#trace/failures-in-vain'
import { answerTo } from '../answers.ts'
import { isNoAccident } from '../chance/chance.ts'
import { failureRate, isFailedOver, lastFailures } from '../chance/failure-rate.ts'
import { withoutOwnNames } from './own-names.ts'
import { readOnce } from '../read-once.ts'
import type { Attempt, ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** So often any service may fail over the same request by accident: in a row, or each time that it was sent. */
const mostAccidents = 2

/** A service that was down is not up again by chance so soon after the last failure, in milliseconds. */
const soon_ms = 1_000

/** No moment any more, whatever the service still answers meanwhile, in milliseconds. */
const outage_ms = 30_000

/**
 * How many accidents the failures may come of at which a request ended (section 7: 5xx): what nobody could do just then is one,
 * however often it was asked for. 0 where it did not fail, and where it failed too often while others were served.
 */
export function accidentsIn(trace: TraceIndex, record: ExchangeRecord | undefined): number {
  if (record === undefined) return 0
  const inARow = lastFailures(record.attempts)
  if (inARow.length === 0) return 0
  const rate = failureRate(trace, record.operation)
  if (isBelievedAt(trace, inARow) && isNoAccident(mostAccidents, rate)) return 0
  const proven = [inARow, ofSameWords(trace, record), ofOperation(trace, record)].some(
    (failures) =>
      failures.length > mostAccidents && isNoAccident(failures.length, rate) && servesOthers(trace, failures),
  )
  return proven ? 0 : servesOthers(trace, inARow) ? inARow.length : 1
}

/** All that came of the same request, wherever the run sent it; nothing where it was not a failure each time. */
function ofSameWords(trace: TraceIndex, record: ExchangeRecord): readonly Attempt[] {
  const words = wordsOf(trace, record)
  const attempts = words === undefined ? [] : (byWords(trace).get(words) ?? [])
  return attempts.every(isFailedOver) ? attempts : []
}

/** All that came of this operation in the run; nothing where it was not a failure each time. */
function ofOperation(trace: TraceIndex, { operation }: ExchangeRecord): readonly Attempt[] {
  return failuresAlone(trace).get(operation ?? '') ?? []
}

/** Attempts of the operations that never came to anything but failures. */
const failuresAlone = readOnce((trace: TraceIndex): ReadonlyMap<string, readonly Attempt[]> => {
  const attempts = new Map<string, Attempt[]>()
  for (const record of trace.exchanges.values()) {
    if (record.operation === null) continue
    const known = attempts.get(record.operation) ?? []
    known.push(...record.attempts.filter(({ response }) => response !== undefined))
    attempts.set(record.operation, known)
  }
  return new Map([...attempts].filter(([, all]) => all.every(isFailedOver)))
})

/** Attempts that were answered, by what was asked: what a lost answer would have been nobody knows. */
const byWords = readOnce((trace: TraceIndex): ReadonlyMap<string, readonly Attempt[]> => {
  const found = new Map<string, Attempt[]>()
  for (const record of trace.exchanges.values()) {
    const words = wordsOf(trace, record) ?? ''
    const answered = record.attempts.filter(({ response }) => response !== undefined)
    const known = found.get(words)
    if (known === undefined) found.set(words, answered)
    else known.push(...answered)
  }
  return found
})

/** What a request asks for. */
function wordsOf({ header }: TraceIndex, { attempts, key }: ExchangeRecord): string | undefined {
  const request = attempts[0]?.request.entry
  if (request === undefined) return undefined
  const { operation, path, body, text } = request
  const words = JSON.stringify([operation, path, key, body, text])
  return withoutOwnNames(header, words)
}

/** Whether the run no longer asked again, as that had been in vain too often. */
function isBelievedAt(trace: TraceIndex, [first]: readonly Attempt[]): boolean {
  const line = first?.request.line ?? 0
  return (timesInVain(trace).findLast((one) => one.line < line)?.times ?? 0) >= mostFailuresInVain
}

/**
 * How often by then, since one passed, a request was sent again after a failure and failed again, with an answer to another one in
 * between: a service that is down for all proves nothing of what is asked for. Nor does one that takes no writes just then.
 */
const timesInVain = readOnce((trace: TraceIndex): readonly { readonly line: number; readonly times: number }[] => {
  const found: { line: number; times: number }[] = []
  let times = 0
  const since = { answered: false, written: false }
  for (const { attempt, isAgain } of inOrder(trace)) {
    const { line } = attempt.request
    if (!isFailedOver(attempt)) {
      since.answered ||= isAnswered(attempt)
      since.written ||= hasWritten(attempt)
      if (isAgain) times = 0
    } else if (isAgain && (isWrite(attempt) ? since.written : since.answered)) {
      times += 1
      Object.assign(since, { answered: false, written: false })
    }
    if (isAgain) found.push({ line, times })
  }
  return found
})

/** What was answered, as it was answered, and whether it had been sent before. */
function inOrder(trace: TraceIndex): readonly { readonly attempt: Attempt; readonly isAgain: boolean }[] {
  return [...trace.exchanges.values()]
    .flatMap(({ attempts }) => attempts.map((attempt, place) => ({ attempt, isAgain: place > 0 })))
    .filter(({ attempt }) => attempt.response !== undefined)
    .toSorted((one, other) => (one.attempt.response?.line ?? 0) - (other.attempt.response?.line ?? 0))
}

/**
 * Whether the service did the like for anybody else between the first of these failures and the last: it was not down. One
 * whose store takes nothing for some seconds may still answer whoever only reads, and another workspace may lie elsewhere.
 */
function servesOthers(trace: TraceIndex, failures: readonly Attempt[]): boolean {
  const times = failures.map(({ response }) => response?.entry.t ?? 0)
  const [from, to] = [Math.min(...times), Math.max(...times) + soon_ms]
  const isMeanwhile = ({ request, response }: Attempt): boolean =>
    request.entry.t >= from && (response?.entry.t ?? Infinity) <= to
  const outlasts = to - from >= outage_ms
  const needsWrite = failures.some(isWrite) && !outlasts
  const beside = besideIn(trace, failures)
  return beside.some((one) => isMeanwhile(one) && (!needsWrite || hasWritten(one)))
}

/** What was answered in the workspaces of these failures; in any, where they never had an answer: their keys may be none. */
function besideIn(trace: TraceIndex, failures: readonly Attempt[]): readonly Attempt[] {
  const workspaces = new Set(failures.map(inWorkspace))
  const own = answered(trace).filter((one) => workspaces.has(inWorkspace(one)))
  return own.length > 0 ? own : answered(trace)
}

const inWorkspace = ({ request }: Attempt): string => workspaceOf(request.entry.key)

function isWrite({ request }: Attempt): boolean {
  const { operation, method } = request.entry
  return (isOperationId(operation) ? operations[operation].method : method) !== 'GET'
}

function hasWritten(attempt: Attempt): boolean {
  return isWrite(attempt) && answerTo(attempt).kind === 'success'
}

const answered = readOnce((trace: TraceIndex): readonly Attempt[] =>
  [...trace.exchanges.values()].flatMap(({ attempts }) => attempts.filter(isAnswered)),
)

/** Whether the service itself answered, without failing over it: keys and rates may be looked at in front of it. */
function isAnswered(attempt: Attempt): boolean {
  const answer = answerTo(attempt)
  if (answer.kind !== 'failure') return answer.kind === 'success'
  return !isMishap(answer) && !loadCodes.includes(answer.code) && !isKeyCode(answer.code)
}
