import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import { isOneOfAKind, mayBeOurs } from '../model/ids.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, type Connection, sessionsOf, textAt } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'server-event': 'event-id-unique event-id-server-generated',
})

/** Ids of server events: each its own, and none of ours (6), but for what `session.updated` echoes and an opening replays. */
export const eventIds = ruleOf('event-ids', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const connection of session.connections) judgeUnique(connection, say)
    for (const received of session.received) judgeGenerated(trace, received, say)
  }
})

function judgeUnique({ received, session }: Connection, say: Say<(typeof proves)[number]>): void {
  const seen = new Map<string, ReceivedEvent>()
  for (const one of received) {
    const id = textAt(one.event, 'event_id')
    if (id === undefined || id === '' || one.type === 'session.bootstrap.opening.done') continue
    if (one.type === 'session.updated' && (session.byId.has(id) || mayBeOurs(id, session.connections))) continue
    const duplicate = seen.get(id)
    if (duplicate === undefined) seen.set(id, one)
    else say.broken('server-event.event-id-unique', 'an event_id of its own', `${show(id)} once more`, duplicate, one)
  }
  const [one, other] = seen.values()
  if (one !== undefined && other !== undefined && seen.size > 1) {
    for (const each of seen.values()) say.held('server-event.event-id-unique', each)
  }
}

function judgeGenerated(trace: TraceIndex, received: ReceivedEvent, say: Say<(typeof proves)[number]>): void {
  const id = textAt(received.event, 'event_id')
  if (id === undefined || id === '' || received.type === 'session.updated' || !isOneOfAKind(trace, id)) return
  const ours = received.connection.session.byId.get(id)?.find(({ line }) => line < received.line)
  if (ours !== undefined) {
    const expected = 'an event_id of the server’s own'
    say.broken('server-event.event-id-server-generated', expected, `${show(id)}, which we sent`, ours, received)
  } else if (received.connection.session.byId.size > 0) say.held('server-event.event-id-server-generated', received)
}
