import { billingCodes, loadCodes, moderationCode } from '#spec/code-groups'
import type { OperationId } from '#spec/tables'
import type { Condition, Operand, Rejected } from '#trace/claim'
import { answerOf } from '../answers.ts'
import type { Answer } from '../answer.ts'
import { failureRate } from '../chance/failure-rate.ts'
import { accidentsIn } from './accidents.ts'
import { failedOverIt } from './failed-over.ts'
import { broken, held, onlyEachTime, type Outcome, unobserved } from './outcome.ts'
import { namesOwnToo } from './own-things.ts'
import { show } from '../show.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'
import { isLasting, troubleOf } from '../transport.ts'
import { serviceEnded, sessionGone } from './session-gone.ts'
import { worldEndedMeanwhile, worldGoneMeanwhile } from './world-ended.ts'

type Failure = Extract<Answer, { kind: 'failure' }>

/** Codes that speak of the key, its workspace's billing or its grants (section 5). */
const credential = new Set([10001, 10003, 10004, 10005, 10009])

/** Of these, those that speak of what its workspace may start. */
const ofWorkspace = new Set([10004, 10005, 10009])
const starting: ReadonlySet<string> = new Set<OperationId>([
  'create-avatar-session',
  'create-session-from-character',
  'create-world-session',
  'clone-voice',
])

/** Code 0 came. */
export function judgeAccepted(trace: TraceIndex, exchange: number): Outcome {
  const record = trace.exchanges.get(exchange)
  const answer = answerOf(record)
  switch (answer.kind) {
    case 'success':
      return held(answer.line)
    case 'transport-failure':
      return lastingOf(trace, record, 'code 0 (accepted)') ?? transportFailure(answer)
    case 'nonsense':
      return broken('code 0 (accepted)', `HTTP ${answer.status} without an envelope`, requestLine(record), answer.line)
    case 'failure':
      return (
        unaskedCode(trace, record, answer) ??
        startsNothing(trace, record, answer) ??
        mayHaveUsedUp(record, answer) ??
        mayBeProviders(record, answer) ??
        cutShort(trace, record, answer.line) ??
        worldEnded(trace, record, answer) ??
        goneMeanwhile(trace, record, answer) ??
        mayBeAccident(trace, record, answer, 'code 0 (accepted)') ??
        mayBeModerated(record, answer, 'code 0 (accepted)') ??
        broken('code 0 (accepted)', described(answer), requestLine(record), answer.line)
      )
  }
}

const ownToo = 'the id is that of a thing of this workspace, too'

/** A non-zero code came, one of `codes` where given, and the positive control without the fault was accepted. */
export function judgeRejected(
  trace: TraceIndex,
  condition: Rejected,
  evaluate: (condition: Condition) => Outcome,
): Outcome {
  const positiveControl =
    typeof condition.twin === 'number' ? judgeAccepted(trace, condition.twin) : evaluate(condition.twin)
  if (positiveControl.state !== 'held') {
    const why = positiveControl.state === 'broken' ? positiveControl.got : positiveControl.why
    const code = positiveControl.state === 'broken' ? 'prerequisite' : positiveControl.code
    return unobserved(code, `the same request without the fault was not accepted: ${why}`, ...positiveControl.lines)
  }
  const record = trace.exchanges.get(condition.exchange)
  const answer = answerOf(record)
  const wanted = condition.codes === undefined ? 'a rejection' : `a rejection with code ${condition.codes.join(' or ')}`
  switch (answer.kind) {
    case 'success':
      if (namesOwnToo(trace, record)) return unobserved('model_choice', ownToo, answer.line)
      return broken(wanted, 'code 0 (accepted)', requestLine(record), answer.line)
    case 'transport-failure':
      return lastingRefusal(trace, record, answer.line) ?? transportFailure(answer)
    case 'nonsense':
      return unobserved('prerequisite', `HTTP ${answer.status} without an envelope`, answer.line)
    case 'failure': {
      if (condition.codes?.includes(answer.code)) return held(requestLine(record), answer.line)
      const unasked = unaskedCode(trace, record, answer)
      if (unasked !== undefined) return unasked
      if (isOfBilling(record, answer)) return unobserved('quota', described(answer), answer.line)
      if (condition.codes === undefined) return held(requestLine(record), answer.line)
      if (namesOwnToo(trace, record)) return unobserved('model_choice', ownToo, answer.line)
      return (
        mayBeAccident(trace, record, answer, wanted) ??
        mayBeModerated(record, answer, wanted) ??
        broken(wanted, described(answer), requestLine(record), answer.line)
      )
    }
  }
}

/** A service may fail over any request (section 7: 5xx), and twice in a row: that counts only where it comes each time. */
function mayBeAccident(
  trace: TraceIndex,
  record: ExchangeRecord | undefined,
  answer: Failure,
  wanted: string,
): Outcome | undefined {
  const times = accidentsIn(trace, record)
  if (times === 0) return undefined
  const rate = failureRate(trace, record?.operation)
  return onlyEachTime(failedOverIt, { expected: wanted, got: described(answer), times, rate }, answer.line)
}

/** `30007 voice clone provider failed` (section 7). */
const providerCode = 30007

const saving: ReadonlySet<string> = new Set<OperationId>(['create-character', 'replace-character'])

/** "Content is checked by moderation on save" (4.2), and what it rejects is not said: that counts only where it comes each time. */
function mayBeModerated(record: ExchangeRecord | undefined, answer: Failure, wanted: string): Outcome | undefined {
  if (answer.code !== moderationCode || !saving.has(record?.operation ?? '')) return undefined
  return onlyEachTime('moderation rejected the content', { expected: wanted, got: described(answer) }, answer.line)
}

/** How often the service failed, maybe by accident, over the request whose answer holds a value, and how often it does so. */
export function accidentsBehind(
  trace: TraceIndex,
  operand: Operand,
): { readonly times: number; readonly rate: number } {
  const record = 'exchange' in operand ? trace.exchanges.get(operand.exchange) : undefined
  const times = accidentsIn(trace, record)
  return { times, rate: times === 0 ? 0 : failureRate(trace, record?.operation) }
}

/** The last thing that a scenario heard before the run was interrupted: it might have asked again. */
function cutShort(trace: TraceIndex, record: ExchangeRecord | undefined, line: number): Outcome | undefined {
  const scenario = record?.scenario
  if (trace.end?.outcome !== 'interrupted' || scenario === undefined) return undefined
  if (trace.scenarios.get(scenario)?.end?.entry.outcome === 'completed') return undefined
  const later = trace.entries.slice(line).some((entry) => entry.kind === 'request' && entry.scenario === scenario)
  return later ? undefined : unobserved('interrupted', 'the run ended before it could be asked again', line)
}

/** A world session may end by itself just before it is asked for something (3.2): that counts only where it does so each time. */
function worldEnded(trace: TraceIndex, record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  const shown = worldEndedMeanwhile(trace, record)
  if (shown === undefined && !worldGoneMeanwhile(trace, record)) return undefined
  const lines = shown === undefined ? [answer.line] : [answer.line, shown]
  return onlyEachTime(
    'the service ended the session',
    { expected: 'code 0 (accepted)', got: described(answer) },
    ...lines,
  )
}

/** An avatar session that is not found, and need not be there any more: that counts only where none is found. */
function goneMeanwhile(trace: TraceIndex, record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  const gone = sessionGone(trace, record)
  if (gone === undefined) return undefined
  const { line } = answer
  if ('told' in gone) return unobserved('model_choice', serviceEnded, line, gone.told)
  return onlyEachTime(serviceEnded, { expected: 'code 0 (accepted)', got: described(answer), ...gone }, line)
}

/** A code that says nothing about the request: of load, or of a key that never worked in this run. */
function unaskedCode(trace: TraceIndex, record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  if (loadCodes.includes(answer.code)) return unobserved('quota', described(answer), answer.line)
  if (credential.has(answer.code) && !isFault(record?.key) && !keyWorks(trace, record?.key)) {
    return unobserved('prerequisite', `the key ${record?.key ?? ''} was refused: ${described(answer)}`, answer.line)
  }
  return undefined
}

/**
 * A workspace without billing, balance or grants may list and read all the same (5.5, 5.6): a key that never started anything
 * in this run was the wrong one for it, and the target was right to say so.
 */
function startsNothing(trace: TraceIndex, record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  if (record === undefined || !ofWorkspace.has(answer.code) || !starting.has(record.operation ?? '')) return undefined
  const started = [...trace.exchanges.values()].some(
    (one) => one.key === record.key && starting.has(one.operation ?? '') && answerOf(one).kind === 'success',
  )
  if (started) return undefined
  const why = `the key ${record.key} may start nothing, its creates were refused: ${described(answer)}`
  return unobserved('prerequisite', why, answer.line)
}

/**
 * "Insufficient balance is rejected" (5.6), and a balance may be used up in the middle of a run: that counts only where it comes
 * each time.
 */
function mayHaveUsedUp(record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  if (!isOfBilling(record, answer)) return undefined
  const eachTime = { expected: 'code 0 (accepted)', got: described(answer) }
  return onlyEachTime('the balance of the workspace may be used up', eachTime, answer.line)
}

/** "Clone provider call failed" (section 7, 30007), and for how long is not said: that counts only where it comes each time. */
function mayBeProviders(record: ExchangeRecord | undefined, answer: Failure): Outcome | undefined {
  if (answer.code !== providerCode || record?.operation !== 'clone-voice') return undefined
  const eachTime = { expected: 'code 0 (accepted)', got: described(answer) }
  return onlyEachTime('the provider of voices failed', eachTime, answer.line)
}

/** A start that is refused for the workspace's billing: that says nothing of the request. */
function isOfBilling(record: ExchangeRecord | undefined, { code }: Failure): boolean {
  return billingCodes.includes(code) && starting.has(record?.operation ?? '')
}

/** Sent without a key or with a bad one on purpose: then such a code is the answer to that very fault. */
function isFault(key: string | undefined): boolean {
  return key === 'none' || key === 'malformed'
}

const working = new WeakMap<TraceIndex, Set<string>>()

/** Whether any request with this key succeeded in this run. */
export function keyWorks(trace: TraceIndex, key: string | undefined): boolean {
  let keys = working.get(trace)
  if (keys === undefined) {
    keys = new Set()
    for (const record of trace.exchanges.values()) if (answerOf(record).kind === 'success') keys.add(record.key)
    working.set(trace, keys)
  }
  return key !== undefined && keys.has(key)
}

/** What never brought anything else, while the target answered others, is the target's own. */
function lastingOf(trace: TraceIndex, record: ExchangeRecord | undefined, expected: string): Outcome | undefined {
  const last = record?.attempts.at(-1)
  if (record === undefined || last === undefined || !isLasting(trace, last)) return undefined
  const lines = record.attempts.map(({ request }) => request.line)
  return broken(expected, `nothing but this, while others were answered: ${troubleOf(last) ?? ''}`, ...lines)
}

/** A page that always comes may be a rejection or not: it says neither which nor why. */
function lastingRefusal(trace: TraceIndex, record: ExchangeRecord | undefined, line: number): Outcome | undefined {
  const last = record?.attempts.at(-1)
  if (last?.response === undefined || !isLasting(trace, last)) return undefined
  return unobserved('prerequisite', `${troubleOf(last) ?? ''} and no envelope, every time`, line)
}

function transportFailure(answer: Extract<Answer, { kind: 'transport-failure' }>): Outcome {
  if (answer.why === 'missing')
    return unobserved('prerequisite', 'the request was not sent or not answered', answer.line)
  if (answer.why === 'aborted') return unobserved('interrupted', 'the run ended before the answer', answer.line)
  return unobserved('network', `no answer of the target itself (${answer.why})`, answer.line)
}

function described(answer: Failure): string {
  return `code ${answer.code}, message ${show(answer.message)}`
}

function requestLine(record: ExchangeRecord | undefined): number {
  return record?.attempts.at(-1)?.request.line ?? 0
}
