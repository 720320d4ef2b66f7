import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { any, before, event, never } from '#trace/conditions'
import type { Condition, Point } from '#trace/claim'
import { at } from '#trace/json'
import { look, saysEnding, saysOpen, tells } from '#scenario/author/session-ending'
import { lookUntil } from './ending.ts'

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

/** One accepted `session.update`, which shows that the channel works; the start of the timer that it resets. */
export async function interact(c: Context, channel: Channel): Promise<Start> {
  const [frame, id] = [channel.nextFrame(), c.id('interaction')]
  channel.send({ type: 'session.update', event_id: id, session: { mode: 'text_chat' } }, frame)
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
export interface Knock {
  readonly refused: Condition
  readonly over: Start
}

export interface Timer {
  readonly session: OpenSession
  /** What the timer counts from: the last thing that resets it. */
  readonly start: Start
  readonly seconds: number
  /** What came after it and resets nothing; a target for which it was a connection all the same closes after that. */
  readonly knock?: Knock
  /** Rows that say the session is closed in time. */
  readonly closes: readonly RequirementId[]
  /** Rows that say it isn't closed before. */
  readonly notBefore: readonly RequirementId[]
  /** An open channel of the session, on which `session.closed` may come. */
  readonly channel?: Channel
}

/**
 * Waits a timer out: the session is open shortly before its end, and over at the latest a grace after it (the profile's
 * `auto_close_grace_ms`, measured from when we sent).
 */
export async function waitOut(c: Context, timer: Timer): Promise<void> {
  await findOpen(c, timer)
  const { session, seconds, knock } = timer
  const start = knock?.over ?? timer.start
  const limit: Point = { ...start.point, plus_ms: seconds * 1_000 + c.timeouts.auto_close_grace_ms }
  await waitUntil(c, start, seconds * 1_000 + 500)
  const left = start.at + seconds * 1_000 + c.timeouts.auto_close_grace_ms - performance.now()
  const last = await lookUntil(c, session, Math.max(0, left), ['closing', 'closed', 'failed'])
  const late = any(saysEnding(last), before(limit, { exchange: last }))
  for (const row of timer.closes)
    c.claim(row, saysEnding(last), {
      given: [...shown(timer), tells(last), late, ...(knock === undefined ? [] : [knock.refused])],
      given_code: 'model_choice',
    })
}

/** Nothing ends the session before the timer does. */
async function findOpen(c: Context, { session, start, seconds, notBefore, channel }: Timer): Promise<void> {
  // Whoever counts whole seconds may be one early.
  const end: Point = { ...start.point, plus_ms: (seconds - 1) * 1_000 }
  const early = c.exchange()
  const inTime = { given: [before({ exchange: early, edge: 'answered' }, end)], given_code: 'model_choice' as const }
  for (const row of notBefore) {
    for (const condition of saysOpen(early)) c.claim(row, condition, inTime)
    if (channel !== undefined) c.claim(row, never(channel.channel, event('session.closed'), start.point, end))
  }
  await waitUntil(c, start, seconds * 1_000 - margin_ms)
  await look(c, session, early)
}

/** Where Get never shows a status, its silence says nothing. */
function shown({ session }: Timer) {
  return [{ is: 'accepted' as const, exchange: session.exchange }]
}

interface Patience {
  /** How long after the start. */
  readonly ms: number
  /** How long after it the timer ends the session: a look that comes later says nothing. */
  readonly until_ms?: number
  readonly rows: readonly RequirementId[]
}

/** Holds for `ms` after the start: the session is still open then, though a wrong timer would have ended it. */
export async function stillOpen(
  c: Context,
  session: OpenSession,
  start: Start,
  { ms, until_ms, rows }: Patience,
): Promise<void> {
  const exchange = c.exchange()
  const inTime = before({ exchange, edge: 'answered' }, { ...start.point, plus_ms: until_ms ?? 0 })
  const options = until_ms === undefined ? {} : ({ given: [inTime], given_code: 'model_choice' } as const)
  for (const row of rows) for (const condition of saysOpen(exchange)) c.claim(row, condition, options)
  await waitUntil(c, start, ms)
  await look(c, session, exchange)
  // That it came in time shows once that time is over.
  if (until_ms !== undefined) await waitUntil(c, start, until_ms + 100)
}
