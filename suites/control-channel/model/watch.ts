import { first, isAsker, type Response, responsesOf } from './responses.ts'
import { placeAfter } from '#trace/first-place'
import { type ReceivedEvent, isDecided, type SentEvent } from './sessions.ts'
import { timelineOf } from './timeline.ts'

/**
 * Whether nothing came of an event although its connection was watched long enough. While a response runs, other work may
 * have to wait for its end.
 */
export function isOverdue(since: ReceivedEvent, patience: number): boolean {
  const { connection } = since
  let deadline = since.t + patience
  for (const response of responsesOf(connection.session)) {
    if (first(response).t > deadline) continue
    const end = response.done[0]?.t ?? Number.POSITIVE_INFINITY
    if (end > since.t) deadline = Math.max(deadline, end + patience)
  }
  return connection.until.t >= deadline
}

/**
 * Whether a response that was created came to a halt: its connection was watched in silence for longer than an event may
 * take, or another response came and went meanwhile. While it renders, silence may last as long as what is rendered. One
 * that ended on another connection of its session did end: which connections hear of it is not said.
 */
export function isStuck(response: Response, patience: number): boolean {
  const { connection, origin, events } = response
  if (!isAsker(response) && !(origin.unasked && connection.session.connections.length === 1)) return false
  const last = events.at(-1)
  if (last === undefined || !isDecided(last)) return false
  const all = responsesOf(connection.session)
  if (all.some((one) => one.origin === origin && one.done.length > 0)) return false
  const modes = timelineOf(connection.session).modes(
    Math.min(first(response).line, ...origin.candidates.map(({ sent }) => sent.line)),
    last.line,
  )
  const renders = modes.has('video_avatar') && response.stopped.length === 0
  const silence = renders ? Math.max(60_000, ...origin.candidates.map(({ silence_ms }) => silence_ms)) : 0
  const others = all.filter((one) => one !== response && one.connection === connection)
  const deadline = last.t + patience + silence
  const later = others.filter((one) => first(one).line > first(response).line)
  const overtaken = later.some(({ done }) => done[0] !== undefined && done[0].t > deadline)
  const heard = Math.max(last.t, ...others.map((one) => one.events.at(-1)?.t ?? 0))
  return connection.until.t > Math.max(deadline, overtaken ? 0 : heard + patience + silence)
}

/** What we had sent last on this connection. */
export function lastSent({ connection, line }: ReceivedEvent): SentEvent | undefined {
  return connection.sent[placeAfter(connection.sent, line - 1) - 1]
}
