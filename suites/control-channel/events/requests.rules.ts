import { isOwnFailure } from '#judge/conditions/own-failure'
import { show } from '#judge/show'
import { toldBy } from '../model/additions.ts'
import { mayBeOurs } from '../model/ids.ts'
import { conversationOf, first, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { requestOf } from '../model/script.ts'
import {
  type ReceivedEvent,
  type Connection,
  isDecided,
  objectAt,
  type SentEvent,
  type Session,
  sessionsOf,
  textAt,
} from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'response-created': 'request-event-id-names-request',
  'response-create': 'yields-created created-once rejected-not-created created-only-when-asked',
  scheduling: 'reject-if-busy-never-starts pending-second-never-starts pending-runs-once',
})

type Own = (typeof proves)[number]

/** Each response goes back to one `response.create`, and a refused one to none (3.4, 4.4). */
export const requests = ruleOf('requests', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const refused = refusalsOf(session)
    for (const connection of session.connections) judgeConnection(connection, refused, say)
    praiseRefusals(session, refused, say)
  }
})

/** Requests that an `error` refused, and that error. What the service failed in by itself may have been done, or tried again. */
function refusalsOf(session: Session): ReadonlyMap<SentEvent, ReceivedEvent> {
  const refused = new Map<SentEvent, ReceivedEvent>()
  for (const received of session.received) {
    if (received.type !== 'error' || !isDecided(received) || isOwnFailure(received.event)) continue
    const sent = toldBy(received)
    if (sent?.type === 'response.create' && !refused.has(sent)) refused.set(sent, received)
  }
  return refused
}

function judgeConnection(connection: Connection, refused: ReadonlyMap<SentEvent, ReceivedEvent>, say: Say<Own>): void {
  const { session } = connection
  const begun = new Map<string, ReceivedEvent[]>()
  for (const response of responsesOf(session)) {
    const [created] = response.created
    if (response.connection !== connection || created === undefined || !isDecided(created)) continue
    const id = textAt(created.event, 'request_event_id') || undefined
    if (id === undefined) judgeNameless(response, created, refused, say)
    else {
      const earlier = begun.get(id) ?? []
      begun.set(id, [...earlier, created])
      judgeNamed(session, created, id, earlier, refused, say)
    }
  }
}

function judgeNamed(
  session: Session,
  created: ReceivedEvent,
  id: string,
  earlier: readonly ReceivedEvent[],
  refused: ReadonlyMap<SentEvent, ReceivedEvent>,
  say: Say<Own>,
): void {
  const named =
    session.byId.get(id)?.filter((sent) => sent.type === 'response.create' && sent.line < created.line) ?? []
  const row = 'response-created.request-event-id-names-request'
  const [sent] = named
  if (sent === undefined) {
    if (!mayBeOurs(id, session.connections) && !wasAskedNamelessly(session, created))
      say.broken(row, 'the event_id of a response.create', show(id), created)
    return
  }
  if (earlier.length >= named.length) {
    const waiting = waitingAt(created, refused)
    if (waiting !== undefined) say.broken(row, show(waiting.id), show(id), waiting, created)
    else say.broken(onceRow(sent, earlier[0] ?? created), 'one response', 'another one', sent, ...earlier, created)
    return
  }
  say.held(row, sent, created)
  say.held('response-create.yields-created', sent, created)
  say.held('response-create.created-once', sent, created)
  say.held('response-create.created-only-when-asked', sent, created)
  const error = refused.get(sent)
  if (error !== undefined && error.line < created.line) {
    say.broken(neverRow(sent, error), 'no response after the error', 'response.created', sent, error, created)
  }
}

/** "The client `response.create` `event_id` when nonempty": how one without is named is not said. */
function wasAskedNamelessly(session: Session, { connection, line }: ReceivedEvent): boolean {
  const asked = session.sent.filter((one) => one.type === 'response.create' && one.id === undefined && one.line < line)
  if (asked.length === 0) return false
  const begun = responsesOf(session).filter(({ connection: own, created: [start], origin }) => {
    if (own !== connection || start === undefined || start.line >= line || origin.unasked) return false
    return !session.byId.has(textAt(start.event, 'request_event_id') ?? '')
  })
  return begun.length < asked.length
}

/** What waited for another response to end was pending. */
function onceRow(sent: SentEvent, created: ReceivedEvent): Own {
  const waited = created.connection.received.some(
    ({ type, line }) => type === 'response.done' && line > sent.line && line < created.line,
  )
  return waited && requestOf(sent).policy === 'after_current_response'
    ? 'scheduling.pending-runs-once'
    : 'response-create.created-once'
}

/** A policy has to do with a refusal only where a response was active. */
function neverRow(sent: SentEvent, error: ReceivedEvent): Own {
  const { policy } = requestOf(sent)
  const busy = responsesOf(sent.connection.session).some(
    ({ created, done }) => (created[0]?.line ?? error.line) < error.line && (done[0]?.line ?? error.line) >= error.line,
  )
  if (!busy) return 'response-create.rejected-not-created'
  if (policy === 'reject_if_busy') return 'scheduling.reject-if-busy-never-starts'
  return policy === 'after_current_response'
    ? 'scheduling.pending-second-never-starts'
    : 'response-create.rejected-not-created'
}

/** A request of this connection that no `response.created` has named yet. */
function waitingAt(
  { connection, line }: ReceivedEvent,
  refused: ReadonlyMap<SentEvent, ReceivedEvent>,
): SentEvent | undefined {
  const named = new Set(
    connection.received.flatMap((received) =>
      received.type === 'response.created' && received.line < line
        ? (textAt(received.event, 'request_event_id') ?? [])
        : [],
    ),
  )
  return connection.sent.find((sent) => {
    return (
      sent.type === 'response.create' &&
      sent.line < line &&
      sent.id !== undefined &&
      !named.has(sent.id) &&
      !refused.has(sent)
    )
  })
}

/** With `manual` only the client starts responses; an opening is none of ours. */
function judgeNameless(
  response: Response,
  created: ReceivedEvent,
  refused: ReadonlyMap<SentEvent, ReceivedEvent>,
  say: Say<Own>,
): void {
  const { origin, connection } = response
  if (origin.unasked || first(response) !== created) return
  if (origin.candidates.length > 0) {
    const { request } = origin
    if (request === undefined) return
    say.held('response-create.created-only-when-asked', request.sent, created)
    say.held('response-create.yields-created', request.sent, created)
    return
  }
  // Which turn detection is in force where nobody names one is not said.
  const manual = textAt(objectAt(conversationOf(connection.session), 'turn_detection'), 'type') === 'manual'
  if (!manual || connection.session.connections.length > 1) return
  const [denied, error] = [...refused].findLast(([sent]) => sent.line < created.line) ?? []
  if (denied !== undefined && error !== undefined)
    say.broken(neverRow(denied, error), 'no response after the error', 'response.created', denied, created)
  else
    say.broken(
      'response-create.created-only-when-asked',
      'no response that nobody asked for',
      'response.created',
      created,
    )
}

/** A refusal counts in a session that does respond, and once something else came after it. */
function praiseRefusals(session: Session, refused: ReadonlyMap<SentEvent, ReceivedEvent>, say: Say<Own>): void {
  const created = session.received.filter(({ type }) => type === 'response.created')
  const started = new Set(created.map(({ event }) => event['request_event_id']))
  const end = session.received.at(-1)?.line ?? 0
  for (const [sent, error] of created.length === 0 ? [] : refused) {
    if (started.has(sent.id ?? null) || end <= error.line) continue
    say.held(neverRow(sent, error), sent, error)
    if (neverRow(sent, error) !== 'response-create.rejected-not-created')
      say.held('response-create.rejected-not-created', sent, error)
  }
}
