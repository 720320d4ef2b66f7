import type { Eventually, Never, Pattern, Point } from '#trace/claim'
import { at, type Json } from '#trace/json'
import { isBlame, isGoingAway } from '#trace/close-codes'
import { matchesOne } from '#trace/match'
import { behindAnother, isTurnedAwayBehindAnother } from './admission.ts'
import { broken, brokenInWords, held, onlyEachTime, type Outcome, unobserved } from './outcome.ts'
import { foundDead, isFoundDead, wasDead } from './dead-connection.ts'
import { leftInTheMiddle } from './left-in-the-middle.ts'
import { failed, failedOverIt, failedResponse, failureBefore, isAboutEnd } from './failed-over.ts'
import { type LostResponse, lostResponse, whyTextIsLess } from './lost-response.ts'
import { isFailedResponse, isNamelessFailure, isOwnFailure, mayHaveFailedOver, responseFailed } from './own-failure.ts'
import { placeAfter } from '#trace/first-place'
import { endOf, fits, type Moment, momentOf } from './points.ts'
import { endedLikeOthers } from '../timing/own-ends.ts'
import { isSessionClosed, sessionEnd } from '../sessions/session-end.ts'
import { stillBetween } from '../timing/standstill.ts'
import { watchFactor } from '../timing/timeouts.ts'
import { show, showPatterns, showPoint, showSpan } from '../show.ts'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'

/**
 * A matching frame came after the point, and before `until` where there is one. One that comes late still came: only
 * silence that was watched for twice as long as an answer may take breaks it.
 */
export function judgeEventually(trace: TraceIndex, condition: Eventually): Outcome {
  const after = momentOf(trace, condition.after)
  const channel = trace.channels.get(condition.channel)
  if (after === undefined || channel === undefined) {
    return unobserved('prerequisite', `the run never came to ${showPoint(trace, condition.after)}`)
  }
  const found = firstMatch(channel, after.line, condition.match)
  const end = endOfWatch(trace, channel, condition)
  const failure = failureBefore(trace, condition, channel, found)
  if (failure !== undefined) {
    // What was awaited came: whether the failure was over it is not said, however often one comes.
    const came = found !== undefined && isNamelessFailure(failure.data)
    return came
      ? unobserved('network', failedOverIt, after.line, failure.line)
      : failed(trace, failure, condition, after.line)
  }
  if (found !== undefined && (end.what !== 'until' || found.line < end.line)) return held(after.line, found.line)
  const frames = received(channel, after.line)
  const enough = watchFactor * condition.within
  const lines = [after.line, ...frames.slice(0, 4).map((frame) => frame.line)]
  const others = frames.filter((frame) => frame.line < end.line && matchesOne(frame.data, condition.instead ?? []))
  // Names of events are optional in an `error` (6.2): one without explains what did not come.
  const nameless = frames.filter(({ data }) => isNamelessFailure(data))
  const own = [...others, ...nameless].find(({ line, data }) => line < end.line && isOwnFailure(data))
  if (own !== undefined) return failed(trace, own, condition, after.line)
  const lost = lostEnd(condition, channel, after.line, end.line)
  if (lost !== undefined) return failedResponse(lost, condition, after.line)
  const other = others.length > 0
  const still = stillBetween(trace, after, end)
  const isCut = end.what === 'closed' && leftInTheMiddle(channel, condition, enough)
  if ((end.t - after.t - still >= enough && !isCut) || (other && end.what !== 'session')) {
    return brokenInWords(
      () => `${showPatterns(condition.match)} within ${enough} ms`,
      () => othersAfter(channel, after.line),
      ...lines,
    )
  }
  if (end.t - after.t >= enough && end.what !== 'watched' && !isCut)
    return onlyEachTime(
      'meanwhile the target stood still, or Greenroom itself',
      { expected: `${showPatterns(condition.match)} within ${enough} ms`, got: othersAfter(channel, after.line) },
      ...lines,
    )
  if (end.what === 'closed' && isTurnedAwayBehindAnother(trace, channel))
    return unobserved('network', behindAnother, ...lines, end.line)
  return endedEarly(channel, condition, { end, late: found, lines, enough: after.t + enough + still })
}

/** What ended by itself before it brought what is awaited, and why. */
function lostEnd(condition: Eventually, channel: ChannelRecord, from: number, until: number): LostResponse | undefined {
  if (!isAboutEnd(condition)) return lostResponse(condition, channel, from, until)
  const end = received(channel, from).find(({ line, data }) => line < until && isFailedResponse(data))
  return end && { end, why: responseFailed }
}

/** Where the time ends in which an answer must come, and what ends it. */
interface EndOfWatch extends Moment {
  readonly what: 'until' | 'session' | 'closed' | 'watched'
}

function endOfWatch(trace: TraceIndex, channel: ChannelRecord, { until }: Eventually): EndOfWatch {
  const { closed, session } = channel
  const bound = until === undefined ? undefined : momentOf(trace, until)
  const over = sessionEnd(trace, session)
  let first: EndOfWatch = { what: 'watched', line: trace.watched.line + 1, t: trace.watched.t }
  // Of two at one line the one that is asked for first counts.
  if (bound !== undefined && bound.line < first.line) first = { what: 'until', line: bound.line, t: bound.t }
  if (over !== undefined && over.line < first.line) first = { what: 'session', line: over.line, t: over.t }
  if (closed !== undefined && closed.line < first.line) first = { what: 'closed', line: closed.line, t: closed.entry.t }
  return first
}

interface Early {
  readonly end: EndOfWatch
  readonly late: FrameRecord | undefined
  readonly lines: readonly number[]
  /** Time of the run at which silence would have been proven. */
  readonly enough: number
}

/** Nothing came, but it was not watched for long enough either. */
function endedEarly(channel: ChannelRecord, condition: Eventually, { end, late, lines, enough }: Early): Outcome {
  const closed = channel.closed
  const unwatched = `the channel was not watched for ${watchFactor * condition.within} ms`
  if (end.what === 'session') return unobserved('network', 'the service ended the session', end.line, ...lines)
  if (end.what === 'until') {
    if (late !== undefined) return unobserved('network', 'it came after something else had been sent', late.line)
    return unobserved('prerequisite', 'something else was sent before it was missing for sure', end.line, ...lines)
  }
  if (end.what === 'watched' || closed === undefined) {
    return { ...unobserved('interrupted', unwatched, ...lines), ...(closed === undefined ? { pending: enough } : {}) }
  }
  const { by, code, reason } = closed.entry
  const wanted = () => `${showPatterns(condition.match)} within ${watchFactor * condition.within} ms`
  if (by === 'target') return closedByTarget(code, wanted(), [...lines, closed.line])
  if (by === 'limit') return broken(wanted(), reason, ...lines, closed.line)
  if (isFoundDead(channel)) return foundDead(wanted(), ...lines, closed.line)
  if (by === 'network') return unobserved('network', 'the connection broke', closed.line)
  return unobserved('interrupted', unwatched, ...lines)
}

/** No connection lasts for ever: that one ends says something only where the code does, or where it ends each time. */
function closedByTarget(code: number, expected: string, lines: readonly number[]): Outcome {
  const got = `the target closed the channel (${code})`
  if (isBlame(code)) return broken(expected, got, ...lines)
  if (isGoingAway(code)) return unobserved('network', `the target went away (${code})`, ...lines)
  return onlyEachTime(got, { expected, got }, ...lines)
}

/** No matching frame came between the two points. */
export function judgeNever(trace: TraceIndex, condition: Never): Outcome {
  const from = momentOf(trace, condition.from)
  const channel = trace.channels.get(condition.channel)
  if (from === undefined || channel === undefined) {
    return unobserved('prerequisite', `the run never came to ${showPoint(trace, condition.from)}`)
  }
  const until = endOf(trace, condition.until, condition.channel)
  const last = until?.line ?? Number.POSITIVE_INFINITY
  const found = firstMatch(channel, from.line, condition.match, last)
  if (found !== undefined && isSessionClosed(found) && endedLikeOthers(trace, channel.session)) {
    return unobserved('network', 'the service ends sessions by itself', from.line, found.line)
  }
  if (found !== undefined && until !== undefined) {
    const wanted = () => `no ${showPatterns(condition.match)} ${showSpan(trace, condition.from, condition.until)}`
    const asked = 'frame' in condition.from ? trace.frames.get(condition.from.frame)?.data : undefined
    const isFailure = mayHaveFailedOver(found.data, asked) || isNamelessFailure(found.data)
    if (isFailure || mayComeOfFailure(channel, from.line, found.line, asked))
      return onlyEachTime(failedOverIt, { expected: wanted(), got: show(found.data) }, from.line, found.line)
    const less = whyTextIsLess(channel, found, condition.match)
    if (less !== undefined)
      return onlyEachTime(less, { expected: wanted(), got: show(found.data) }, from.line, found.line)
    return brokenInWords(wanted, () => show(found.data), from.line, found.line)
  }
  if (until === undefined) {
    return unobserved('prerequisite', `the run never came to ${showPoint(trace, condition.until)}`, from.line)
  }
  const { closed } = channel
  if (closed !== undefined && isFoundDead(channel) && closed.entry.t <= until.t)
    return unobserved('network', wasDead, from.line, closed.line)
  if (closed !== undefined && isCutShort(condition.until, closed, until))
    return unobserved('network', `the target closed the channel (${closed.entry.code})`, from.line, closed.line)
  return held(from.line, until.line)
}

/** Whether the target ended a connection that was to be watched for a time, or up to a moment of ours: then nothing could come. */
function isCutShort(bound: Point, closed: NonNullable<ChannelRecord['closed']>, until: Moment): boolean {
  const isTimed = bound.plus_ms !== undefined || 'mark' in bound
  return isTimed && closed.entry.by === 'target' && closed.line <= until.line
}

/**
 * The service failed, maybe over what was asked for at the start of the watch, or over what was to end it and more was sent
 * before this came.
 */
function mayComeOfFailure({ frames }: ChannelRecord, from: number, found: number, asked: Json | undefined): boolean {
  const between = frames.filter(({ line }) => line > from && line < found)
  const failures = between.filter(({ direction, data }) => direction === 'received' && isOwnFailure(data))
  const [first] = failures
  if (first === undefined) return false
  if (asked !== undefined && failures.some(({ data }) => isNamelessFailure(data) || mayHaveFailedOver(data, asked)))
    return true
  return between.some(({ direction, line }) => direction === 'sent' && line > first.line)
}

function received(channel: ChannelRecord, afterLine: number): FrameRecord[] {
  return channel.frames.slice(placeAfter(channel.frames, afterLine)).filter((frame) => frame.direction === 'received')
}

/** The first event after a line, and before another, that fits one of the patterns. */
export function firstMatch(
  { frames }: ChannelRecord,
  afterLine: number,
  patterns: readonly Pattern[],
  before = Number.POSITIVE_INFINITY,
): FrameRecord | undefined {
  for (let place = placeAfter(frames, afterLine); place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame === undefined || frame.line >= before) return undefined
    if (frame.direction !== 'received') continue
    for (const pattern of patterns) if (fits(frame, pattern)) return frame
  }
  return undefined
}

function othersAfter(channel: ChannelRecord, afterLine: number): string {
  const frames = received(channel, afterLine)
  if (frames.length === 0) return 'no event at all'
  const types = frames.slice(0, 6).map((frame) => show(at(frame.data, '/type') ?? frame.problem ?? 'no type'))
  return `${frames.length} other ${frames.length === 1 ? 'event' : 'events'}: ${types.join(', ')}`
}
