import { at, isObject, type Json } from '#trace/json'
import { answerOf, createdSession } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import type { ChannelRecord, ExchangeRecord, TraceIndex } from '../trace-index.ts'
import { positive } from './sure-life.ts'

/** Seconds; 0 where a timer is off, or not known. */
interface Timers {
  readonly disconnected: number
  readonly idle: number
  readonly duration: number
  /** When the create was sent: no timer counts from before. */
  readonly since: number
}

/**
 * Whether a timer that the service told for the session, or the duration that it was given, was over at `t`, by when its
 * connections were open and what was sent on them (4.1): a session that was left alone for so long may have closed.
 */
export function mayHaveTimedOut(trace: TraceIndex, session: string, t: number): boolean {
  const timers = timersIn(trace).get(session)
  if (timers === undefined) return false
  const channels = [...trace.channels.values()].filter((channel) => channel.session === session)
  const isOver = (timer: number, since: number): boolean => timer > 0 && t - since >= timer * 1_000
  return (
    isOver(timers.duration, timers.since) ||
    isOver(timers.disconnected, Math.max(timers.since, ...channels.map((channel) => connectedUntil(channel, t)))) ||
    isOver(timers.idle, Math.max(timers.since, ...channels.map((channel) => lastSent(channel, t))))
  )
}

function connectedUntil({ opened, closed }: ChannelRecord, t: number): number {
  if (opened === undefined || opened.t > t) return 0
  return Math.min(closed?.entry.t ?? t, t)
}

const lastSent = ({ frames }: ChannelRecord, t: number): number =>
  frames.findLast((frame) => frame.direction === 'sent' && frame.t <= t)?.t ?? 0

const timersIn = readOnce((trace: TraceIndex): ReadonlyMap<string, Timers> => {
  const timers = new Map<string, Timers>()
  for (const record of trace.exchanges.values()) {
    const session = createdSession(record)
    if (session !== undefined && !timers.has(session)) timers.set(session, timersOf(record))
  }
  return timers
})

function timersOf(record: ExchangeRecord): Timers {
  const [first] = record.attempts
  const { body, t } = first?.request.entry ?? {}
  const answer = answerOf(record)
  const told = (timer: string): number => seconds(answer.kind === 'success' ? at(answer.data, timer) : undefined)
  return {
    disconnected: told('/auto_close/disconnected_timeout_seconds'),
    idle: told('/auto_close/interaction_idle_timeout_seconds'),
    duration: seconds(isObject(body) ? at(body, '/max_duration_seconds') : undefined),
    since: t ?? 0,
  }
}

function seconds(value: Json | undefined): number {
  const [count = 0] = positive(value)
  return count
}
