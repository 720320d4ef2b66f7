import { show } from '#judge/show'
import { ruleOf, type Say } from '../model/say.ts'
import { type Came, type Connection, sessionsOf, textAt } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'server-event': 'event-id-unique event-id-server-generated',
})

/** Ids of server events: each its own, and none of ours (6), but for what `session.updated` echoes and an opening replays. */
export const eventIds = ruleOf('event-ids', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const connection of session.connections) judgeUnique(connection, say)
    for (const came of session.came) judgeGenerated(came, say)
  }
})

function judgeUnique({ came, session }: Connection, say: Say<(typeof proves)[number]>): void {
  const seen = new Map<string, Came>()
  for (const one of came) {
    const id = textAt(one.event, 'event_id')
    if (id === undefined || id === '' || one.type === 'session.bootstrap.opening.done') continue
    if (one.type === 'session.updated' && session.byId.has(id)) continue
    const twin = seen.get(id)
    if (twin === undefined) seen.set(id, one)
    else say.broken('server-event.event-id-unique', 'an event_id of its own', `${show(id)} once more`, twin, one)
  }
  const [one, other] = seen.values()
  if (one !== undefined && other !== undefined && seen.size > 1) {
    for (const each of seen.values()) say.held('server-event.event-id-unique', each)
  }
}

function judgeGenerated(came: Came, say: Say<(typeof proves)[number]>): void {
  const id = textAt(came.event, 'event_id')
  if (id === undefined || id === '' || came.type === 'session.updated') return
  const ours = came.connection.session.byId.get(id)?.find(({ line }) => line < came.line)
  if (ours !== undefined) {
    const expected = 'an event_id of the server’s own'
    say.broken('server-event.event-id-server-generated', expected, `${show(id)}, which we sent`, ours, came)
  } else if (came.connection.session.byId.size > 0) say.held('server-event.event-id-server-generated', came)
}
