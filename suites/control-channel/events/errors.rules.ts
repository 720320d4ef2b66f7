import { show } from '#judge/show'
import { causeOf } from '../model/additions.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, objectAt, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { type Update, updatesOf } from '../model/updates.ts'
import { hasLongId, mayBeOurs } from '../model/ids.ts'
import { lastSent } from '../model/watch.ts'

const proves = ['error.event-id-names-cause'] as const

/** "`error.event_id` optional (client event id that caused it)" (6.2). */
export const errors = ruleOf('errors', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) judgeErrors(session, say)
})

function judgeErrors(session: Session, say: Say<(typeof proves)[number]>): void {
  const ended = endings(updatesOf(session).updates)
  for (const received of session.received) {
    if (received.type !== 'error') continue
    judgeCause(received, ended, say)
    seeError(received, say)
  }
}

/** Where updates ended `completed`, by id: nothing of them can fail any more. */
function endings(updates: readonly Update[]): ReadonlyMap<string, ReceivedEvent> {
  const ended = new Map<string, ReceivedEvent>()
  for (const { sent, done, shared } of updates) {
    const [end] = done
    if (sent.id !== undefined && !shared && end?.event['status'] === 'completed') ended.set(sent.id, end)
  }
  return ended
}

/** An empty id is none: optional fields may come with their zero value. */
function judgeCause(
  received: ReceivedEvent,
  ended: ReadonlyMap<string, ReceivedEvent>,
  say: Say<(typeof proves)[number]>,
): void {
  const row = 'error.event-id-names-cause'
  const given = causeOf(received)
  if (given === undefined) return
  const { byId, connections } = received.connection.session
  const named = byId.get(given)?.find(({ line }) => line < received.line)
  if (named === undefined) {
    if (mayBeOurs(given, connections) || mayBeOfNameless(received)) return
    say.broken(row, 'the event_id of an event that we sent', show(given), received)
    return
  }
  const end = ended.get(given)
  if (end !== undefined && end.line < received.line && end.connection === received.connection) {
    say.broken(row, 'the event_id of an event that failed', `${show(given)}, which was completed`, named, end, received)
  } else say.held(row, named, received)
}

/**
 * What bears no id, or one that is too long, may be named by an id of the service's own: by no more errors than there were
 * such events.
 */
function mayBeOfNameless({ connection, line }: ReceivedEvent): boolean {
  const { session, received } = connection
  const nameless = session.sent.filter((one) => one.line < line && (one.id === undefined || hasLongId(one)))
  const unknown = received.filter((one) => {
    const given = one.type === 'error' && one.line < line ? causeOf(one) : undefined
    return given !== undefined && !session.byId.has(given)
  })
  return unknown.length < nameless.length
}

function seeError(received: ReceivedEvent, say: Say<(typeof proves)[number]>): void {
  const error = objectAt(received.event, 'error')
  const code = textAt(error, 'code')
  if (code !== undefined) say.saw('error.code-values', code.slice(0, 80), received)
  const type = textAt(error, 'type')
  if (type !== undefined) say.saw('error.type-values', type.slice(0, 80), received)
  if (error['param'] !== undefined) say.saw('error.param-values', show(error['param']).slice(0, 80), received)
  const last = lastSent(received)
  if (last?.id !== undefined)
    say.saw('error.event-id-present', causeOf(received) === undefined ? 'absent' : 'present', received)
}
