import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome, type Rows, type Terms } from '#scenario/author/expectation'
import { accepted, before, event, never } from '#trace/conditions'
import type { Condition, Point } from '#trace/claim'
import { at } from '#trace/json'
import { decides, look, saysEnding, saysGoingOn, tellsOfEnd, type Round } from '#scenario/author/session-ending'
import { isSilent, sightOfEnd, sightOfLife } from '#scenario/author/sessions/sight'
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
  /** What does not keep it open. */
  readonly disturb?: (channel: Channel) => void
  readonly round: Round
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
  const looked = await lookUntil(c, session, Math.max(0, left), ['closing', 'closed', 'failed'])
  // A second connection may be refused for being one.
  if (isSilent(looked, session)) await timer.channel?.close()
  const last = await sightOfEnd(c, session, looked, timer.disturb)
  const premises = [
    accepted(session.exchange),
    ...decides(last, limit),
    ...(refusedOpening === undefined ? [] : [refusedOpening.refused]),
  ]
  c.expect(
    outcome(timer.closes, () => saysEnding(last), { onlyIf: premises }),
    looked.exchange,
  )
}

/** Nothing ends the session before the timer does. */
async function findOpen<Row extends RequirementId>(
  c: Context<Row>,
  { session, start, seconds, notBefore: rows, channel, round }: Timer<Row>,
): Promise<void> {
  // Whoever counts whole seconds may be one early.
  const end: Point = { ...start.point, plus_ms: (seconds - 1) * 1_000 }
  await waitUntil(c, start, seconds * 1_000 - margin_ms)
  const looked = await look(c, session)
  const inTime = before({ exchange: looked.exchange, edge: 'answered' }, end)
  const claims = [
    { condition: saysGoingOn(looked.exchange), terms: { onlyIf: [inTime] } },
    ...unclosed(channel, start.point, end),
  ]
  if (rows.length > 0) round.goesOn(c, { session, rows, claims, looked, isTold: tellsOfEnd(channel) })
}

function unclosed(
  channel: Channel | undefined,
  from: Point,
  until: Point,
): readonly { readonly condition: Condition }[] {
  return channel === undefined ? [] : [{ condition: never(channel.channel, event('session.closed'), from, until) }]
}

interface Patience<Row extends RequirementId> {
  /** How long after the start. */
  readonly ms: number
  /** How long after it the timer ends the session: a look that comes later says nothing. */
  readonly until_ms?: number
  readonly rows: Rows<Row>
  /** An open channel of the session, on which `session.closed` would come: what Get tells of an end is not shown. */
  readonly channel?: Channel
  readonly round: Round
}

/** Holds for `ms` after the start: the session is still open then, though a wrong timer would have ended it. */
export async function stillOpen<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  start: Start,
  { ms, until_ms, rows, channel, round }: Patience<Row>,
): Promise<void> {
  await waitUntil(c, start, ms)
  const looked = await look(c, session)
  const within = (point: Point): Terms =>
    until_ms === undefined ? {} : { onlyIf: [before(point, { ...start.point, plus_ms: until_ms })] }
  const shown = await sightOfLife(c, session, looked, channel)
  const claims = [
    { condition: saysGoingOn(looked.exchange), terms: within({ exchange: looked.exchange, edge: 'answered' }) },
    ...unclosed(channel, start.point, { ...start.point, plus_ms: ms }),
    ...(shown === undefined ? [] : [{ condition: shown.condition, terms: within({ mark: shown.mark }) }]),
  ]
  round.goesOn(c, { session, rows, claims, looked, isTold: tellsOfEnd(channel) || shown?.isOver })
  // That it came in time shows once that time is over.
  if (until_ms !== undefined) await waitUntil(c, start, until_ms + 100)
}
