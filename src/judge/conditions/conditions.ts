import type { Condition, Operand, Point } from '#trace/claim'
import { at } from '#trace/json'
import { equal } from '#trace/match'
import { judgeAdmitted, judgeRefused, stateBySecret } from './admission.ts'
import { judgeEventually, judgeNever } from './channel-conditions.ts'
import { foundDead, isFoundDead } from './dead-connection.ts'
import { failedOverIt, mayAnswerAnother } from './failed-over.ts'
import { carries, type Resolved, resolve, showOther, showResolved } from './operands.ts'
import { whyLessCame } from './lost-response.ts'
import { broken, brokenInWords, held, onlyEachTime, type Outcome, unobserved } from './outcome.ts'
import { endOf, findEvent, type Moment, momentOf } from './points.ts'
import { accidentsBehind, judgeAccepted, judgeRejected } from './rest-conditions.ts'
import { serviceEnded } from './session-gone.ts'
import { endedByItself, endShownBefore, mayHaveCut, sessionEnd, speaksOfEnd } from '../sessions/session-end.ts'
import { endedLikeOthers, mayEndLikeOthers } from '../timing/own-ends.ts'
import { mayHaveTimedOut } from '../timing/own-timers.ts'
import { sessionIn } from '../sessions/session-in.ts'
import { show, showPlace, showPoint } from '../show.ts'
import { missingAfter } from '../timing/timeouts.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'
import { worldEndedBesideOthers } from './world-ended.ts'

/** Evaluates a condition against a trace: held, broken or unobserved. Pure. */
export function evaluate(trace: TraceIndex, condition: Condition): Outcome {
  switch (condition.is) {
    case 'accepted':
      return judgeAccepted(trace, condition.exchange)
    case 'rejected':
      return judgeRejected(trace, condition, (inner) => evaluate(trace, inner))
    case 'equals':
    case 'different':
      return compare(trace, condition.left, condition.right, condition.is)
    case 'echoes':
      return echo(trace, condition.left, condition.right)
    case 'same':
    case 'distinct':
      return compareAll(trace, condition.of, condition.is)
    case 'eventually':
      return judgeEventually(trace, condition)
    case 'never':
      return judgeNever(trace, condition)
    case 'admitted':
      return judgeAdmitted(trace, condition.channel)
    case 'refused':
      return judgeRefused(trace, condition.channel, condition.twin)
    case 'before':
      return inOrder(trace, condition)
    case 'any':
      return anyOf(trace, condition.of)
    case 'all':
      return allOf(trace, condition.of)
  }
}

function compare(trace: TraceIndex, left: Operand, right: Operand, how: 'equals' | 'different'): Outcome {
  const sides = [resolve(trace, left), resolve(trace, right)] as const
  const missing = sides.find((side) => side.found === 'nothing')
  if (missing?.found === 'nothing') return unobserved(missing.code, missing.why, ...missing.lines)
  const lines = sides.flatMap((side) => side.lines)
  const alike = meet(sides[0], sides[1])
  if (alike === (how === 'equals')) return held(...lines)
  const over = endedWith(trace, left) ?? endedWith(trace, right)
  if (over !== undefined) return unobserved('network', serviceEnded, ...lines, over)
  const expected = () => {
    const wanted = how === 'equals' ? showResolved(sides[1]) : showOther(sides[1])
    const [place, source] = [showPlace(trace, left), showPlace(trace, right)]
    return `${place === undefined ? '' : `${place}: `}${wanted}${source === undefined ? '' : `, which is ${source}`}`
  }
  const came = () => (how === 'equals' ? shownSide(sides[0]) : showResolved(sides[0]))
  const behind = accidentsBehind(trace, left)
  if (behind.times > 0) return onlyEachTime(failedOverIt, { expected: expected(), got: came(), ...behind }, ...lines)
  if (ofAnother(trace, left)) return onlyEachTime(failedOverIt, { expected: expected(), got: came() }, ...lines)
  if (mayHaveEnded(trace, left)) return onlyEachTime(serviceEnded, { expected: expected(), got: came() }, ...lines)
  const less = how === 'equals' ? whyLessCame(trace, left, ...sides) : undefined
  if (less !== undefined) return onlyEachTime(less, { expected: expected(), got: came() }, ...lines)
  return brokenInWords(expected, came, ...lines)
}

/** The status of a world session that ended, which need not be why another workspace had asked for it. */
function mayHaveEnded(trace: TraceIndex, operand: Operand): boolean {
  if (!('exchange' in operand) || operand.path !== '/data/status') return false
  const record = trace.exchanges.get(operand.exchange)
  return record?.operation === 'get-world-session' && worldEndedBesideOthers(trace, record)
}

/** The line at which a session was over whose end cut short what this event tells the end of, or which Get tells again (3.1). */
function endedWith(trace: TraceIndex, operand: Operand): number | undefined {
  if ('exchange' in operand) return endedLong(trace, operand)
  if ('channel' in operand) return refusedAnyway(trace, operand.channel)
  if (!('event' in operand)) return undefined
  const frame = findEvent(trace, operand.event)
  const session = trace.channels.get(operand.event.channel)?.session
  const over = session === undefined ? undefined : sessionEnd(trace, session)
  if (frame === undefined || over === undefined) return undefined
  const isOwn = endedByItself(trace, session ?? '')
  // An end in the place of a text, and a text that may have been cut short; what we close ourselves excuses neither.
  const isEnd = operand.path === '/type' || (operand.path === '/text' && frame.type === 'response.done')
  const status = isEnd && isOwn ? '/response/status' : operand.path
  const isText = isOwn && operand.path === '/text' && frame.type === 'response.output_text.done'
  if (!isText && !(status.endsWith('/status') && isCut(at(frame.data, status)))) return undefined
  // What a service ends by itself it may tell of late; what we close ends at once.
  const within_ms = isOwn ? missingAfter(trace, 'event_ms') : undefined
  return mayHaveCut(over, frame.t, within_ms) ? over.line : undefined
}

/** The request by which Get was asked for a session that it had shown to be over before, or that ended as others did. */
function endedLong(trace: TraceIndex, operand: Extract<Operand, { exchange: number }>): number | undefined {
  const { exchange, path, part = 'body' } = operand
  const record = trace.exchanges.get(exchange)
  const { line, entry } = record?.attempts[0]?.request ?? {}
  if (record?.operation !== 'get-avatar-session' || line === undefined) return undefined
  if (part !== 'state' && path !== '/data/status') return undefined
  const session = sessionIn(entry?.path ?? '')
  if (session === undefined) return undefined
  const isOwn = endedLikeOthers(trace, session) || hasTimedOut(trace, record, session)
  return isOwn || endShownBefore(trace, session, line) ? line : undefined
}

/**
 * The opening that was refused because its session ended as others did, or when a timer of it was over: nothing else need have
 * told of that (4.1, 6.2).
 */
function refusedAnyway(trace: TraceIndex, number: number): number | undefined {
  const channel = trace.channels.get(number)
  if (channel === undefined || stateBySecret(trace, channel) !== 'not found') return undefined
  const { session, open } = channel
  return mayEndLikeOthers(trace, session) || mayHaveTimedOut(trace, session, open.entry.t) ? open.line : undefined
}

/** What Get shows to be over, once a timer of it was. */
function hasTimedOut(trace: TraceIndex, record: ExchangeRecord, session: string): boolean {
  const answered = record.attempts.at(-1)?.response?.entry
  return (
    answered !== undefined &&
    speaksOfEnd(at(answered.body, '/data')) === true &&
    mayHaveTimedOut(trace, session, answered.t)
  )
}

function ofAnother(trace: TraceIndex, operand: Operand): boolean {
  if (!('event' in operand)) return false
  const frame = findEvent(trace, operand.event)
  return frame !== undefined && mayAnswerAnother(trace, operand.event, frame)
}

const isCut = (status: unknown): boolean => status === 'cancelled' || status === 'incomplete' || status === 'failed'

/** What came, where several values would have done. */
function shownSide(side: Resolved): string {
  return side.found === 'several' ? `none such in ${show(side.values)}` : showResolved(side)
}

/** Several values meet another side when one of them does. */
function meet(left: Resolved, right: Resolved): boolean {
  if (left.found === 'several') return left.values.some((value) => meet({ found: 'value', value, lines: [] }, right))
  if (right.found === 'several') return right.values.some((value) => meet(left, { found: 'value', value, lines: [] }))
  if (left.found === 'value' && right.found === 'value') return equal(left.value, right.value)
  return left.found === 'absent' && right.found === 'absent'
}

function echo(trace: TraceIndex, left: Operand, right: Operand): Outcome {
  const [shown, wanted] = [resolve(trace, left), resolve(trace, right)]
  if (shown.found === 'nothing') return unobserved(shown.code, shown.why, ...shown.lines)
  if (wanted.found !== 'value') return unobserved('prerequisite', 'nothing was sent that could be echoed')
  const carried = shown.found === 'value' ? carries(shown.value, wanted.value) : carries(undefined, wanted.value)
  const lines = [...wanted.lines, ...shown.lines]
  if (carried) return held(...lines)
  const expected = `${showPlace(trace, left) ?? 'what was sent'}, as it was sent: ${showResolved(wanted)}`
  const got = showResolved(shown)
  return ofAnother(trace, left)
    ? onlyEachTime(failedOverIt, { expected, got }, ...lines)
    : broken(expected, got, ...lines)
}

function compareAll(trace: TraceIndex, operands: readonly Operand[], how: 'same' | 'distinct'): Outcome {
  const sides = operands.map((operand) => resolve(trace, operand))
  const present = sides.filter((side) => side.found === 'value')
  const missing = sides.find((side) => side.found === 'nothing')
  for (const [place, side] of present.entries()) {
    for (const other of present.slice(place + 1)) {
      if (meet(side, other) !== (how === 'same')) {
        return broken(
          `${how} values${placesOf(trace, operands)}`,
          `${showResolved(side)} and ${showResolved(other)}`,
          ...side.lines,
          ...other.lines,
        )
      }
    }
  }
  if (missing?.found === 'nothing') return unobserved(missing.code, missing.why, ...missing.lines)
  if (present.length < 2) return unobserved('prerequisite', 'fewer than two values came')
  return held(...present.flatMap((side) => side.lines))
}

function placesOf(trace: TraceIndex, operands: readonly Operand[]): string {
  const places = operands.flatMap((operand) => showPlace(trace, operand) ?? [])
  return places.length === 0 ? '' : ` at ${[...new Set(places)].slice(0, 3).join(', ')}`
}

function inOrder(trace: TraceIndex, condition: Extract<Condition, { is: 'before' }>): Outcome {
  const first = momentOf(trace, condition.first)
  const channel = 'event' in condition.first ? condition.first.event.channel : undefined
  const reached = channel === undefined ? momentOf(trace, condition.second) : endOf(trace, condition.second, channel)
  const second = reached ?? yetToCome(trace, condition.second)
  if (first === undefined || second === undefined) {
    return unobserved(
      'prerequisite',
      `the run never came to ${showPoint(trace, first === undefined ? condition.first : condition.second)}`,
    )
  }
  const { first: point } = condition
  const ended = 'channel' in point && point.edge !== 'opened' ? trace.channels.get(point.channel) : undefined
  if (ended !== undefined && isFoundDead(ended))
    return foundDead(`${showPoint(trace, point)} before ${showPoint(trace, condition.second)}`, first.line)
  const ordered = first.t < second.t || (first.t === second.t && first.line < second.line)
  if (ordered) return held(first.line, second.line)
  const gap = `${Math.round(first.t - second.t)} ms after it`
  return broken(
    `${showPoint(trace, condition.first)} before ${showPoint(trace, condition.second)}`,
    gap,
    first.line,
    second.line,
  )
}

/** A moment so long after another one that the recording ended before: all that was recorded came before it. */
function yetToCome(trace: TraceIndex, point: Point): Moment | undefined {
  const { plus_ms = 0, ...base } = point
  const moment = plus_ms > 0 ? momentOf(trace, base) : undefined
  return moment && { line: trace.entries.length, t: moment.t + plus_ms }
}

/** What comes behind the first that holds decides nothing. */
function anyOf(trace: TraceIndex, conditions: readonly Condition[]): Outcome {
  const outcomes: Outcome[] = []
  for (const condition of conditions) {
    const outcome = evaluate(trace, condition)
    if (outcome.state === 'held') return outcome
    outcomes.push(outcome)
  }
  const open = undecided(outcomes)
  if (open !== undefined) return open
  const all = outcomes.filter((outcome) => outcome.state === 'broken')
  const expected = [...new Set(all.map((outcome) => outcome.expected))].join(', or ')
  const outcome = broken(
    expected,
    [...new Set(all.map(({ got }) => got))].join('; '),
    ...all.flatMap((one) => one.lines),
  )
  return all.length > 0 && all.every(({ isProven }) => isProven) ? { ...outcome, isProven: true } : outcome
}

/** Nor does what comes behind the first that is broken. */
function allOf(trace: TraceIndex, conditions: readonly Condition[]): Outcome {
  const outcomes: Outcome[] = []
  for (const condition of conditions) {
    const outcome = evaluate(trace, condition)
    if (outcome.state === 'broken') return outcome
    outcomes.push(outcome)
  }
  return undecided(outcomes) ?? held(...outcomes.flatMap((outcome) => outcome.lines))
}

/** What stays open longest may still be decided. */
function undecided(outcomes: readonly Outcome[]): Outcome | undefined {
  const open = outcomes.filter((outcome) => outcome.state === 'unobserved')
  const longest = open.toSorted((one, other) => (other.pending ?? 0) - (one.pending ?? 0))[0]
  return longest?.pending === undefined ? open[0] : longest
}
