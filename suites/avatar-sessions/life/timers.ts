import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome, type Rows } from '#scenario/author/expectation'
import { accepted, before, event, never } from '#trace/conditions'
import type { Condition, Point } from '#trace/claim'
import { at } from '#trace/json'
import { decides, goingOn, look, saysEnding } from '#scenario/author/session-ending'
import { lookUntil } from './ending.ts'

/** "Default is the service-configured value" (4.1), which may be a minute: this is longer than any timer of ours takes. */
export const max_duration_seconds = 600

/** How long before a timer's end the session is looked at, which leaves some time for the answer. */
const margin_ms = 2_500

/** A moment of the run, and when it was by our clock. */
export interface Start {
  readonly point: Point
  readonly at: number
}

export const startAt = (point: Point): Start => ({ point, at: performance.now() })

const timers = {
  disconnected: '/auto_close/disconnected_timeout_seconds',
  idle: '/auto_close/interaction_idle_timeout_seconds',
} as const

/** Seconds after which the timer ends the session: the answer may have lowered what was asked for (2.1, "effective"). */
export function inForce({ data }: OpenSession, timer: keyof typeof timers, asked: number): number {
  const told = Number(at(data, timers[timer]))
  return told > 0 && told < asked ? told : asked
}

/** Modes of an avatar session (2.1). */
export type Mode = 'text_chat' | 'video_avatar'

/** One accepted `session.update`, which shows that the channel works; the start of the timer that it resets. */
export async function interact(c: Context, channel: Channel, mode: Mode = 'text_chat'): Promise<Start> {
  const [frame, id] = [channel.nextFrame(), c.id('interaction')]
  channel.send({ type: 'session.update', event_id: id, session: { mode } }, frame)
  const start = startAt({ frame })
  await channel.next(event('session.updated', { '/event_id': id }), { after: frame, within_ms: c.timeouts.event_ms })
  return start
}

/** Lets time pass until `ms` after the start. */
export async function waitUntil(c: Context, start: Start, ms: number): Promise<void> {
  const left = start.at + ms - performance.now()
  if (left > 0) await c.wait(left, 'timer')
}

/** A connection that was refused: that it was, and when that was over. */
export interface RefusedOpening {
  readonly refused: Condition
  readonly over: Start
}

interface Timer<Row extends RequirementId> {
  readonly session: OpenSession
  /** What the timer counts from: the last thing that resets it. */
  readonly start: Start
  readonly seconds: number
  /** What came after it and resets nothing; a target for which it was a connection all the same closes after that. */
  readonly refusedOpening?: RefusedOpening
  /** Rows that say the session is closed in time. */
  readonly closes: Rows<Row>
  /** Rows that say it isn't closed before. */
  readonly notBefore: readonly Row[]
  /** An open channel of the session, on which `session.closed` may come. */
  readonly channel?: Channel
}

/**
 * Waits a timer out: the session is open shortly before its end, and over at the latest a grace after it (the profile's
 * `auto_close_grace_ms`, measured from when we sent).
 */
export async function waitOut<Row extends RequirementId>(c: Context<Row>, timer: Timer<Row>): Promise<void> {
  await findOpen(c, timer)
  const { session, seconds, refusedOpening } = timer
  const start = refusedOpening?.over ?? timer.start
  const limit: Point = { ...start.point, plus_ms: seconds * 1_000 + c.timeouts.auto_close_grace_ms }
  await waitUntil(c, start, seconds * 1_000 + 500)
  const left = start.at + seconds * 1_000 + c.timeouts.auto_close_grace_ms - performance.now()
  const last = await lookUntil(c, session, Math.max(0, left), ['closing', 'closed', 'failed'])
  const premises = [
    accepted(session.exchange),
    ...decides(last, limit),
    ...(refusedOpening === undefined ? [] : [refusedOpening.refused]),
  ]
  c.expect(outcome(timer.closes, saysEnding, { onlyIf: premises }), last)
}

/** Nothing ends the session before the timer does. */
async function findOpen<Row extends RequirementId>(
  c: Context<Row>,
  { session, start, seconds, notBefore, channel }: Timer<Row>,
): Promise<void> {
  // Whoever counts whole seconds may be one early.
  const end: Point = { ...start.point, plus_ms: (seconds - 1) * 1_000 }
  const early = c.exchange()
  c.expect(goingOn(notBefore, { onlyIf: [before({ exchange: early, edge: 'answered' }, end)] }), early)
  if (channel !== undefined) {
    for (const row of notBefore) c.claim(row, never(channel.channel, event('session.closed'), start.point, end))
  }
  await waitUntil(c, start, seconds * 1_000 - margin_ms)
  await look(c, session, { exchange: early })
}

interface Patience<Row extends RequirementId> {
  /** How long after the start. */
  readonly ms: number
  /** How long after it the timer ends the session: a look that comes later says nothing. */
  readonly until_ms?: number
  readonly rows: Rows<Row>
  /** An open channel of the session, on which `session.closed` would come: what Get tells of an end is not shown. */
  readonly channel?: Channel
}

/** Holds for `ms` after the start: the session is still open then, though a wrong timer would have ended it. */
export async function stillOpen<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  start: Start,
  { ms, until_ms, rows, channel }: Patience<Row>,
): Promise<void> {
  const exchange = c.exchange()
  const until: Point = { ...start.point, plus_ms: ms }
  if (channel !== undefined) {
    const unclosed = never(channel.channel, event('session.closed'), start.point, until)
    c.expect(
      outcome(rows, () => unclosed),
      exchange,
    )
  }
  const inTime = before({ exchange, edge: 'answered' }, { ...start.point, plus_ms: until_ms ?? 0 })
  c.expect(goingOn(rows, until_ms === undefined ? {} : { onlyIf: [inTime] }), exchange)
  await waitUntil(c, start, ms)
  await look(c, session, { exchange })
  // That it came in time shows once that time is over.
  if (until_ms !== undefined) await waitUntil(c, start, until_ms + 100)
}
