import { readOnce } from '#judge/read-once'
import { placeAfter } from '#trace/first-place'
import { first, isCompleted, responseIdIn, responsesOf, spokenText, telling } from './responses.ts'
import type { Response } from './response.ts'
import type { Request } from './script.ts'
import {
  type Connection,
  type ReceivedEvent,
  isDecided,
  objectAt,
  type SentEvent,
  type Session,
  textAt,
} from './sessions.ts'
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
  if (!wasAskedHere(response) && !(origin.unasked && isAlone(connection))) return false
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

/** Whether everything that may have asked for it was sent on this connection. */
function wasAskedHere({ connection, origin }: Response): boolean {
  return origin.candidates.length > 0 && origin.candidates.every(({ sent }) => sent.connection === connection)
}

/** Whether nobody asked for it, and it began on the only connection that its session had: who else could be told of it? */
function beganHere({ connection, created, guessed, origin }: Response): boolean {
  return origin.unasked && created.length > 0 && !guessed && isAlone(connection)
}

const isAlone = ({ session }: Connection): boolean => session.connections.length === 1

/**
 * Whether this connection must show the whole response: it asked for it, or nobody did and it began here, and no other one
 * was told a part of it instead. Who else gets its events is not said.
 */
export function isAsker(response: Response): boolean {
  return (wasAskedHere(response) || beganHere(response)) && isToldWhole(response)
}

/** Whether this connection must have shown its start: it asked for it, or it is the only one and heard the user who is answered. */
export function isSeenWhole(response: Response): boolean {
  const { connection, origin } = response
  if (wasAskedHere(response)) return true
  if (origin.candidates.length > 0 || !isAlone(connection)) return false
  return !origin.unasked || (origin.by_itself === 'answer' && beganLater(response))
}

const ends: ReadonlySet<string> = new Set(['response.done', 'response.render.stopped'])

/**
 * Whether it surely began after its connection: another response had come and gone there before a user was heard whom it
 * answers. What is told of first by its end may have run since before.
 */
function beganLater(response: Response): boolean {
  const start = first(response)
  const isMessage = textAt(objectAt(start.event, 'item'), 'type') === 'message'
  if (ends.has(start.type ?? '') || (start.type === 'response.output_item.done' && isMessage)) return false
  const { received } = response.connection
  const heard = received.findLast(({ type, line }) => type === 'input_audio.speech_started' && line < start.line)
  return responsesOf(response.connection.session).some(
    ({ created, done: [done] }) => created.length > 0 && done !== undefined && done.line < (heard?.line ?? 0),
  )
}

/**
 * Whether no other connection of the session was told anything of the response that this one was not: where several are
 * open in its time, whether each event reaches one or all of them is not said, and one may come and go in the midst of it.
 */
export const isToldWhole = readOnce((response: Response): boolean => {
  const { connection, origin } = response
  if (connection.session.connections.length === 1) return true
  const others = responsesOf(connection.session).filter((one) => one.origin === origin && one.connection !== connection)
  if (others.length === 0) return true
  const heard = new Set(response.events.map(contentOf))
  return others.every(({ events }) => events.every((one) => heard.has(contentOf(one))))
})

/** What an event says; its id may be another one on each connection. */
function contentOf({ event }: ReceivedEvent): string {
  const { event_id: _, ...content } = event
  return JSON.stringify(content)
}

/**
 * Whether a response surely comes of the request that it is taken for: it names that, or (`request_event_id` is optional)
 * names none and can come of nothing else.
 */
export function isKnown(response: Response): boolean {
  if (tellsRequest(response)) return true
  const { session } = response.connection
  const { request, candidates } = response.origin
  if (request === undefined || nameIn(response) !== undefined || !isTied(response)) return false
  return candidates.length === 1 && fits(response, request) && isPastOpening(session, response)
}

/** It names its request, or tells it by its text. */
function tellsRequest(response: Response): boolean {
  const { request } = response.origin
  if (request === undefined) return false
  const name = nameIn(response)
  return name === undefined ? isTied(response) && isToldByText(response, request) : name === request.sent.id
}

const nameIn = ({ created: [created] }: Response): string | undefined =>
  created === undefined ? undefined : textAt(created.event, 'request_event_id') || undefined

/** Its events are told by an id, and nobody else may have begun it. */
function isTied({ created: [created], guessed, origin }: Response): boolean {
  return created !== undefined && !guessed && !origin.unasked && responseIdIn(created) !== undefined
}

/** It spoke, from beginning to end, a text that of all that may have asked for it one request alone wanted. */
function isToldByText(response: Response, request: Request): boolean {
  const spoken = spokenText(response)
  if (spoken.length < telling || request.texts?.includes(spoken) !== true || !isCompleted(response)) return false
  return response.origin.candidates.filter(({ texts }) => texts?.includes(spoken) !== false).length === 1
}

/** What it spoke may have been cut short. */
function fits(response: Response, { texts }: Request): boolean {
  const spoken = spokenText(response).trimEnd()
  return texts === undefined || texts.some((text) => text.startsWith(spoken))
}

/** "Openings may begin at any time until the first response was asked for": behind one of ours there is none. */
function isPastOpening(session: Session, response: Response): boolean {
  return firstKnown(session) < first(response).line
}

/** Line of the first response that names its request, or tells it by its text. */
const firstKnown = readOnce((session: Session): number => {
  const known = responsesOf(session).find(tellsRequest)
  return known === undefined ? Number.POSITIVE_INFINITY : first(known).line
})
