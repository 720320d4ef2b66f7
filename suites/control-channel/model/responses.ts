import { isOwnFailure } from '#judge/conditions/own-failure'
import { readOnce } from '#judge/read-once'
import type { JsonObject } from '#trace/json'
import { toldBy } from './additions.ts'
import { requestOf } from './script.ts'
import { type ReceivedEvent, type Connection, objectAt, type SentEvent, type Session, textAt } from './sessions.ts'
import { adopt, lastUntied } from './untied.ts'
import type { Response } from './response.ts'
import type { Item, Origin } from './response.ts'

const types = new Set([
  'response.created',
  'response.done',
  'response.render.started',
  'response.render.stopped',
  'response.output_item.done',
  'response.output_text.delta',
  'response.output_text.done',
])

/** The responses of a session, one for each connection that shows them, in the order of their first events. */
export const responsesOf = readOnce((session: Session): readonly Response[] => {
  const responses = session.connections
    .flatMap(readConnection)
    .toSorted((one, other) => first(one).line - first(other).line)
  findOrigins(session, responses)
  return responses
})

const ownersIn = readOnce((session: Session): ReadonlyMap<string, readonly Response[]> => {
  const all = responsesOf(session).flatMap((one) => [...one.items.keys()].map((id) => [id, one] as const))
  const groups = Map.groupBy(all, ([id]) => id)
  return new Map([...groups].map(([id, pairs]) => [id, pairs.map(([, one]) => one)]))
})

/** The responses that put out an item. */
export function ownersOf(session: Session, item: string): readonly Response[] {
  return ownersIn(session).get(item) ?? []
}

/** The event by which a connection first showed the response. */
export function first(response: Response): ReceivedEvent {
  const [event] = response.events
  if (event === undefined) throw new Error('a response without events')
  return event
}

function readConnection(connection: Connection): readonly Response[] {
  const responses: Response[] = []
  const byId = new Map<string, Response>()
  for (const received of connection.received) {
    if (received.type === undefined || !types.has(received.type)) continue
    const id = responseIdIn(received)
    let response = id === undefined ? lastUntied(responses, received) : byId.get(id)
    if (response === undefined && id !== undefined) response = adopt(responses, received, id)
    if (response === undefined) {
      response = begin(connection, id, received)
      responses.push(response)
    }
    if (id !== undefined) byId.set(id, response)
    record(response, received)
  }
  return responses
}

/** Id of the response that an event is about. */
export function responseIdIn({ type, event }: ReceivedEvent): string | undefined {
  const whole = type === 'response.created' || type === 'response.done'
  return (whole ? textAt(objectAt(event, 'response'), 'id') : textAt(event, 'response_id')) || undefined
}

function begin(connection: Connection, id: string | undefined, received: ReceivedEvent): Response {
  return {
    id,
    connection,
    events: [],
    created: [],
    done: [],
    started: [],
    stopped: [],
    items: new Map(),
    guessed: id === undefined && received.type !== 'response.created',
    origin: { candidates: [], request: undefined, unasked: false, by_itself: undefined },
  }
}

function record(response: Response, received: ReceivedEvent): void {
  response.events.push(received)
  if (received.type === 'response.created') response.created.push(received)
  else if (received.type === 'response.done') response.done.push(received)
  else if (received.type === 'response.render.started') response.started.push(received)
  else if (received.type === 'response.render.stopped') response.stopped.push(received)
  else recordItem(response, received)
}

function recordItem(response: Response, received: ReceivedEvent): void {
  const ended = received.type === 'response.output_item.done'
  const id = ended ? textAt(objectAt(received.event, 'item'), 'id') : textAt(received.event, 'item_id')
  if (id === undefined || id === '') return
  const item = response.items.get(id) ?? { id, texts: [], deltas: [], text_done: [], item_done: [], joined: '' }
  response.items.set(id, item)
  if (ended) item.item_done.push(received)
  else item.texts.push(received)
  if (received.type === 'response.output_text.done') item.text_done.push(received)
  if (received.type !== 'response.output_text.delta') return
  item.deltas.push(received)
  item.joined += textAt(received.event, 'delta') ?? ''
}

/** Ties responses to the requests that asked for them: by `request_event_id`, else by elimination, else by their text. */
function findOrigins(session: Session, responses: readonly Response[]): void {
  const requests = session.sent.filter((sent) => sent.type === 'response.create')
  const distinct = shareOrigins(responses)
  const names = new Map(distinct.map((response) => [response, named(session, response)]))
  const taken = new Set([...names.values()].flatMap((sents) => (sents?.length === 1 ? sents : [])))
  const refusedAt = refusals(session)
  const nameless = distinct.filter((response) => names.get(response) === undefined)
  const tooMany = nameless.length > requests.filter((sent) => !taken.has(sent) && !refusedAt.has(sent)).length
  const { opening, speech } = unasked(session)
  for (const response of distinct) {
    const [{ origin }, { line }] = [response, first(response)]
    const sents = names.get(response)
    const may = eligible(line, requests, taken, refusedAt)
    // An opening may begin as the first response is asked for: then no request is left for it, or none that fits.
    const opens =
      opening >= line || (response === distinct[0] && (tooMany || may.length === 0 || speaksOther(response, may)))
    if (sents !== undefined) settle(response, sents)
    else if (opens || speech <= line) settleUnasked(response, may)
    else settle(response, may)
    if (origin.unasked && may.length === 0) origin.by_itself = opens ? 'opening' : 'answer'
    if (origin.request !== undefined) taken.add(origin.request.sent)
  }
}

/** What several connections show of one response has one origin. @returns one of each */
function shareOrigins(responses: readonly Response[]): readonly Response[] {
  const origins = new Map<string, Origin>()
  const counts = new Map<string, number>()
  return responses.filter((response) => {
    const names = [response.id, startOf(response, counts)].filter((name) => name !== undefined)
    const shared = names.map((name) => origins.get(name)).find((one) => one !== undefined)
    if (shared !== undefined) (response as { origin: Origin }).origin = shared
    for (const name of names) origins.set(name, response.origin)
    return shared === undefined
  })
}

/** A name for one that may have no id: the request that it names, and how often its connection was told of a start of that. */
function startOf({ created, connection }: Response, counts: Map<string, number>): string | undefined {
  const request = created[0] === undefined ? undefined : textAt(created[0].event, 'request_event_id')
  if (request === undefined || request === '') return undefined
  const place = `${connection.channel} ${request}`
  const count = (counts.get(place) ?? 0) + 1
  counts.set(place, count)
  return `start ${count} of ${request}`
}

/**
 * A response that names no request may be an opening up to one line, and an answer to what a user said from another one
 * on.
 */
function unasked(session: Session): { readonly opening: number; readonly speech: number } {
  const opened = session.received.find(({ type }) => type === 'session.bootstrap.opening.done')
  const asked = session.sent.find(({ type }) => type === 'response.create')?.line ?? Number.POSITIVE_INFINITY
  const begun = session.received.find(({ type }) => type === 'response.created')?.line ?? Number.POSITIVE_INFINITY
  const spoken = session.received.find(({ type }) => type?.startsWith('input_audio.') === true)
  const manual = textAt(objectAt(conversationOf(session), 'turn_detection'), 'type') === 'manual'
  return {
    opening: opened?.line ?? (begun < asked ? begun : 0),
    speech: manual || spoken === undefined ? Number.POSITIVE_INFINITY : spoken.line,
  }
}

/** Conversation defaults as they are in effect (2.5). */
export function conversationOf({ create }: Session): JsonObject {
  const shown = objectAt(create?.data ?? {}, 'conversation')
  return { ...objectAt(create?.body ?? {}, 'conversation'), ...shown }
}

/** Line of the first `error` that refuses a request; what the service failed in by itself may begin all the same. */
function refusals(session: Session): ReadonlyMap<SentEvent, number> {
  const lines = new Map<SentEvent, number>()
  for (const received of session.received) {
    if (received.type !== 'error' || isOwnFailure(received.event)) continue
    const sent = toldBy(received)
    if (sent !== undefined && !lines.has(sent)) lines.set(sent, received.line)
  }
  return lines
}

function named(session: Session, { created }: Response): readonly SentEvent[] | undefined {
  const event = created[0]
  const id = event === undefined ? undefined : textAt(event.event, 'request_event_id')
  const sents = session.byId
    .get(id ?? '')
    ?.filter((sent) => sent.type === 'response.create' && sent.line < (event?.line ?? 0))
  return sents === undefined || sents.length === 0 ? undefined : sents
}

function eligible(
  line: number,
  requests: readonly SentEvent[],
  taken: ReadonlySet<SentEvent>,
  refusedAt: ReadonlyMap<SentEvent, number>,
): readonly SentEvent[] {
  return requests.filter((one) => one.line < line && !taken.has(one) && (refusedAt.get(one) ?? line) >= line)
}

function settle(response: Response, sents: readonly SentEvent[]): void {
  const { origin } = response
  origin.candidates = sents.map(requestOf)
  const spoken = spokenText(response)
  const fitting = origin.candidates.filter(({ texts }) => texts?.includes(spoken) === true)
  if (origin.candidates.length === 1) origin.request = origin.candidates[0]
  else if (spoken !== '' && fitting.length === 1 && isCompleted(response)) origin.request = fitting[0]
}

/** So long a text is spoken by nobody unless it was asked for. */
export const telling = 20

/** It may be an opening, or an answer to what a user said: only a text of ours tells that it is neither. */
function settleUnasked(response: Response, sents: readonly SentEvent[]): void {
  const spoken = spokenText(response)
  const own = sents.filter((sent) => requestOf(sent).texts?.includes(spoken) === true)
  if (own.length === 1 && spoken.length >= telling && isCompleted(response)) settle(response, own)
  else response.origin.unasked = true
}

/** It speaks, and no text of ours begins so. */
function speaksOther(response: Response, sents: readonly SentEvent[]): boolean {
  const spoken = squeezed(spokenText(response))
  const fits = (text: string): boolean => squeezed(text).startsWith(spoken)
  return spoken !== '' && sents.every((sent) => requestOf(sent).texts?.some(fits) === false)
}

/** Pieces of a text may be trimmed. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/gu, '')

/** A text that was cut short may be the whole of another one. */
export function isCompleted({ done }: Response): boolean {
  const [event] = done
  return event !== undefined && objectAt(event.event, 'response')['status'] === 'completed'
}

/** All text that a response streamed. */
export function spokenText(response: Response): string {
  return [...response.items.values()].map((item) => finalText(item)).join('')
}

/** Text of an item: the final one where it came, else what its deltas brought. */
export function finalText(item: Item): string {
  const done = item.text_done[0]
  return (done === undefined ? undefined : textAt(done.event, 'text')) ?? item.joined
}
