import { show } from '#judge/show'
import { causeOf } from '../model/additions.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Came, objectAt, sessionsOf, textAt } from '../model/sessions.ts'
import { type Update, updatesOf } from '../model/updates.ts'
import { mayBeOurs } from '../model/ids.ts'
import { lastSent } from '../model/watch.ts'

const proves = ['error.event-id-names-cause'] as const

/** "`error.event_id` optional (client event id that caused it)" (6.2). */
export const errors = ruleOf('errors', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const ended = endings(updatesOf(session).updates)
    for (const came of session.came) {
      if (came.type !== 'error') continue
      judgeCause(came, ended, say)
      seeError(came, say)
    }
  }
})

/** Where updates ended `completed`, by id: nothing of them can fail any more. */
function endings(updates: readonly Update[]): ReadonlyMap<string, Came> {
  const ended = new Map<string, Came>()
  for (const { sent, done, shared } of updates) {
    const [end] = done
    if (sent.id !== undefined && !shared && end?.event['status'] === 'completed') ended.set(sent.id, end)
  }
  return ended
}

/** An empty id is none: optional fields may come with their zero value. */
function judgeCause(came: Came, ended: ReadonlyMap<string, Came>, say: Say<(typeof proves)[number]>): void {
  const row = 'error.event-id-names-cause'
  const given = causeOf(came)
  if (given === undefined) return
  const { byId, connections } = came.connection.session
  const named = byId.get(given)?.find(({ line }) => line < came.line)
  if (named === undefined) {
    if (mayBeOurs(given, connections)) return
    say.broken(row, 'the event_id of an event that we sent', show(given), came)
    return
  }
  const end = ended.get(given)
  if (end !== undefined && end.line < came.line && end.connection === came.connection) {
    say.broken(row, 'the event_id of an event that failed', `${show(given)}, which was completed`, named, end, came)
  } else say.held(row, named, came)
}

function seeError(came: Came, say: Say<(typeof proves)[number]>): void {
  const error = objectAt(came.event, 'error')
  const code = textAt(error, 'code')
  if (code !== undefined) say.saw('error.code-values', code.slice(0, 80), came)
  const type = textAt(error, 'type')
  if (type !== undefined) say.saw('error.type-values', type.slice(0, 80), came)
  if (error['param'] !== undefined) say.saw('error.param-values', show(error['param']).slice(0, 80), came)
  const last = lastSent(came)
  if (last?.id !== undefined)
    say.saw('error.event-id-present', causeOf(came) === undefined ? 'absent' : 'present', came)
}
