import { isServerEventType } from '#spec/tables'
import { isBlame, isGoingAway } from '#trace/close-codes'
import { at } from '#trace/json'
import { channelsOf } from '../operations.ts'
import { endedByItself, isSessionClosed, sessionEnd } from '../sessions/session-end.ts'
import { readOnce } from '../read-once.ts'
import { show } from '../show.ts'
import { isSettled } from '../timing/lag.ts'
import { passedBetween } from '../timing/standstill.ts'
import { timeoutOf } from '../timing/timeouts.ts'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'
import { isLastingRefusal, mayHaveLackedRoute, refusalTrouble } from '../transport.ts'
import { broken, held, onlyEachTime, type Outcome, unobserved } from './outcome.ts'

/** How long an accepted socket must stay open to count as admitted, in milliseconds. */
export const admissionMs = 2_000

/** The upgrade succeeded and the channel was usable: it answered, or stayed open for {@link admissionMs}. */
export function judgeAdmitted(trace: TraceIndex, number: number): Outcome {
  const channel = trace.channels.get(number)
  const state = admission(trace, channel)
  if (channel === undefined || state === 'missing') return unobserved('prerequisite', 'the channel was not opened')
  const lines = [channel.open.line, channel.refused?.line ?? channel.opened?.line ?? 0, channel.closed?.line ?? 0]
  if (state === 'admitted') return held(...lines.slice(0, 2))
  const [expected, got] = ['an admitted control connection', refusal(channel)]
  if (isTurnedAwayBehindAnother(trace, channel)) return unobserved('network', behindAnother, ...lines)
  const isRefusal = state === 'refused' && !mayBeTransportFailure(trace, channel)
  const over = sessionEnd(trace, channel.session)
  const wasOver = over !== undefined && over.line < channel.open.line
  // An end by itself may come by accident (3.1); one that comes each time comes of what was done, unless it was told before.
  if (isRefusal && !wasOver && endedByItself(trace, channel.session)) {
    return onlyEachTime('the service ended the session by itself', { expected, got }, ...lines)
  }
  if (state === 'refused' && over !== undefined && over.line <= Math.max(...lines)) {
    return unobserved('network', 'the service had ended the session', over.line, ...lines)
  }
  if (isRefusal && mayBeAccident(channel)) return onlyEachTime(got, { expected, got }, ...lines)
  if (isRefusal) return broken(expected, got, ...lines)
  return unobserved(state === 'unsafe' ? 'prerequisite' : 'network', refusal(channel), ...lines)
}

/** The upgrade was answered by an HTTP status, or the socket was closed at once; the positive control was admitted. */
export function judgeRefused(trace: TraceIndex, number: number, positiveControl: number): Outcome {
  const good = judgeAdmitted(trace, positiveControl)
  if (good.state !== 'held') return unobserved('prerequisite', 'the same connection without the fault was not admitted')
  const channel = trace.channels.get(number)
  const state = admission(trace, channel, refusalMsIn(trace))
  if (channel === undefined || state === 'missing') return unobserved('prerequisite', 'the channel was not opened')
  const lines = [channel.open.line, channel.refused?.line ?? channel.opened?.line ?? 0, channel.closed?.line ?? 0]
  if ((state === 'refused' && isClear(trace, channel)) || isTurnedAwayLate(channel)) {
    const isWrong =
      secretOf(channel) === undefined || secretOf(channel) !== secretOf(trace.channels.get(positiveControl))
    if (isWrong && mayBeForAnother(trace, channel)) return unobserved('network', besideAnother, ...lines)
    return held(...lines)
  }
  if (state === 'admitted') return broken('a refused control connection', admittedBy(trace, channel), ...lines)
  return unobserved('network', refusal(channel), ...lines)
}

/**
 * A refusal may come after the socket was accepted, and no sooner than any other answer: so long, in milliseconds, must one
 * on which nothing is said stay open to count against the target.
 *
 * @param reply_ms in which the target answers
 */
export const refusalMs = (reply_ms: number): number => Math.max(admissionMs, reply_ms)

const refusalMsIn = (trace: TraceIndex): number => refusalMs(timeoutOf(trace, 'reply_ms'))

/** Whether a connection that is to be refused was let in beyond doubt. */
export function isLetIn(trace: TraceIndex, channel: ChannelRecord): boolean {
  return admission(trace, channel, refusalMsIn(trace)) === 'admitted' && !isTurnedAwayLate(channel)
}

/**
 * What an opening with the secret of its session tells of it: `active` where it was let in and answered, `not found` where the
 * target refused it, and not for being one more connection. Silence may turn into a refusal still, and what a limit or an
 * outage refuses says nothing of the session, however long it lasts. A target that lets nobody in tells nothing by it.
 */
export function stateBySecret(trace: TraceIndex, channel: ChannelRecord): 'active' | 'not found' | undefined {
  const { frames, refused } = channel
  if (frames.some(answers)) return frames.some(isSessionClosed) ? undefined : 'active'
  if (admission(trace, channel) !== 'refused' || mayBeTransportFailure(trace, channel)) return undefined
  if (refused !== undefined && refusalTrouble(refused.entry) !== undefined) return undefined
  if (isBesideAnother(trace, channel) || isTurnedAwayBehindAnother(trace, channel)) return undefined
  return letsIn(trace) ? 'not found' : undefined
}

const letsIn = readOnce((trace: TraceIndex): boolean =>
  [...trace.channels.values()].some((channel) => admission(trace, channel) === 'admitted'),
)

/** Codes from here on mean what the service wants them to mean (RFC 6455). */
const ownCodes = 4000

/** The deadline is ours: what was answered nothing and then closed, by a code that blames its client or is the service's own, was refused. */
function isTurnedAwayLate({ frames, closed }: ChannelRecord): boolean {
  if (closed?.entry.by !== 'target' || frames.some(answers)) return false
  return closed.entry.code >= ownCodes || isBlame(closed.entry.code)
}

type Admission = 'admitted' | 'refused' | 'undecided' | 'unsafe' | 'missing'

/**
 * What became of an attempt to open a channel.
 *
 * @param silent_ms how long one on which nothing is said must stay open to count as admitted, in milliseconds
 */
export function admission(trace: TraceIndex, channel: ChannelRecord | undefined, silent_ms = admissionMs): Admission {
  if (channel === undefined) return 'missing'
  if (channel.refused !== undefined) {
    const { reason } = channel.refused.entry
    if (reason === 'unsafe-url') return 'unsafe'
    return reason === 'status' || reason === 'reset' ? 'refused' : 'undecided'
  }
  if (channel.opened === undefined) return 'undecided'
  if (channel.frames.some(answers)) return 'admitted'
  if (passedBetween(trace, channel.opened, endOfStay(trace, channel)) >= silent_ms) return 'admitted'
  return channel.closed !== undefined && channel.closed.entry.by !== 'us' ? 'refused' : 'undecided'
}

/**
 * Whether a connection that was not admitted may have failed on its way: by a status that an edge may send, a reset, or a
 * break right after it opened; now or at an earlier try. Not if nothing else ever came, while the target answered others,
 * or if it was told again that there is no such thing.
 */
function mayBeTransportFailure(trace: TraceIndex, channel: ChannelRecord): boolean {
  if (isLastingRefusal(trace, channel)) return false
  if (channel.earlier.some(({ refused }) => refusalTrouble(refused.entry) !== undefined)) return true
  if (channel.refused !== undefined)
    return refusalTrouble(channel.refused.entry) !== undefined || mayHaveLackedRoute(trace, channel)
  const closed = channel.closed?.entry
  return closed?.by === 'network' || isGoingAway(closed?.code ?? 0)
}

export const behindAnother = 'another connection of the session had just ended'

/**
 * Whether a connection was refused when another one of its session had ended so shortly before that the service may not
 * have known yet: that it takes several at a time is not said (5.3).
 */
export function isTurnedAwayBehindAnother(trace: TraceIndex, refused: ChannelRecord): boolean {
  const { channel, session, open } = refused
  if (admission(trace, refused) !== 'refused') return false
  return channelsOf(trace, session).some(({ channel: other, opened, closed }) => {
    if (other === channel || opened === undefined || closed === undefined || closed.line > open.line) return false
    return !isSettled(trace, closed.entry.t, open.entry.t)
  })
}

const besideAnother = 'another connection of the session was open, and the service was not seen to take two'

/**
 * Whether a connection may have been refused for being the second one of its session, whatever it bore: another one was open,
 * and no session was seen to take two.
 */
function mayBeForAnother(trace: TraceIndex, channel: ChannelRecord): boolean {
  return isBesideAnother(trace, channel) && !takesSeveral(trace)
}

/** Whether another connection of its session was open when this one was asked for. */
function isBesideAnother(trace: TraceIndex, { channel, session, open: { line } }: ChannelRecord): boolean {
  return channelsOf(trace, session).some((other) => {
    if (other.channel === channel || other.opened === undefined || other.open.line > line) return false
    return other.closed === undefined || other.closed.line > line
  })
}

/** What stands for the secret that a connection bore. */
function secretOf(channel: ChannelRecord | undefined): string | undefined {
  const entry = channel?.open.entry
  return entry?.secret ?? URL.parse(entry?.url ?? '')?.searchParams.get('token') ?? undefined
}

/** Whether a connection was let in beside another one of its session. */
const takesSeveral = readOnce((trace: TraceIndex): boolean => {
  const channels = [...trace.channels.values()]
  return channels.some((second) => isBesideAnother(trace, second) && admission(trace, second) === 'admitted')
})

/** Whether a connection that was let in and used ended by a code that blames nobody. */
function mayBeAccident({ frames, closed }: ChannelRecord): boolean {
  const used = frames.some(({ direction }) => direction === 'sent')
  return used && closed !== undefined && !isBlame(closed.entry.code)
}

/** Whether a refusal is the target's: it said so by a status of its own, or refused at each of several tries, or as it always does. */
function isClear(trace: TraceIndex, { refused, earlier }: ChannelRecord): boolean {
  const trouble = refused === undefined ? undefined : refusalTrouble(refused.entry)
  return trouble === undefined || earlier.length > 0 || ownRefusals(trace).has(trouble)
}

/** So many who were refused at each of several tries tell how a target refuses. */
const fewestRefused = 2

/**
 * What an edge may say, and here the target says when it turns somebody away: several were told so at each of several tries,
 * and nobody who was let in after all. An edge in trouble knows no credentials: it passes, and others meet it as well.
 */
const ownRefusals = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const lasting: string[] = []
  const passing = new Set<string>()
  for (const { refused, opened, earlier } of trace.channels.values()) {
    const before = earlier.flatMap((one) => refusalTrouble(one.refused.entry) ?? [])
    const last = refused === undefined ? undefined : refusalTrouble(refused.entry)
    if (opened !== undefined) for (const trouble of before) passing.add(trouble)
    else if (last !== undefined && before.length > 0 && before.every((trouble) => trouble === last)) lasting.push(last)
  }
  const counted = Map.groupBy(lasting, (trouble) => trouble)
  return new Set(
    [...counted].flatMap(([trouble, { length }]) => (length >= fewestRefused ? [trouble] : [])),
  ).difference(passing)
})

/**
 * An event that only an admitted connection gets. One of a type that the interface does not know may say anything (9.3), and
 * so be how a connection is turned away.
 */
function answers({ direction, type }: FrameRecord): boolean {
  if (direction !== 'received' || type === 'error' || type === 'session.closed') return false
  return typeof type === 'string' && isServerEventType(type)
}

function refusal(channel: ChannelRecord): string {
  const refused = channel.refused?.entry
  if (refused?.reason === 'unsafe-url') return refused.message
  if (refused !== undefined) {
    return refused.status === undefined ? `refused: ${refused.reason}` : `refused with HTTP status ${refused.status}`
  }
  const closed = channel.closed?.entry
  return closed === undefined ? 'nothing decided it' : `closed by ${closed.by} with ${closed.code}`
}

function endOfStay(trace: TraceIndex, { closed }: ChannelRecord): { readonly t: number } {
  return closed?.entry ?? trace.watched
}

function admittedBy(trace: TraceIndex, channel: ChannelRecord): string {
  const answer = channel.frames.find(answers)
  if (answer !== undefined) return `it got ${show(at(answer.data, '/type'))}`
  const stay = passedBetween(trace, channel.opened ?? channel.open.entry, endOfStay(trace, channel))
  return `it stayed open for ${Math.round(stay)} ms`
}
