import { show } from '#judge/show'
import { errorsByCause } from '../model/additions.ts'
import { livesOf } from '../model/existence.ts'
import { itemIdIn } from '../model/items.ts'
import { responsesOf } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, objectAt, objectsAt, type SentEvent, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const row = 'response-create.input-deleted-reference-rejected'

/** "`item_reference`: the item must already exist" (4.4): one that was deleted does not. */
export const references = ruleOf(
  'references',
  rows({ 'response-create': 'input-deleted-reference-rejected' }),
  (trace, say) => {
    for (const session of sessionsOf(trace)) {
      for (const sent of session.sent) if (sent.type === 'response.create' && isDecided(sent)) judge(session, sent, say)
    }
  },
)

function judge(session: Session, sent: SentEvent, say: Say<typeof row>): void {
  const input = objectsAt(objectAt(sent.event, 'response'), 'input')
  const ids = input.flatMap((one) => (one['type'] === 'item_reference' ? (textAt(one, 'id') ?? []) : []))
  const gone = ids.find((id) => isGone(session, id, sent.line))
  if (gone === undefined) return
  const response = responsesOf(session).find((one) => one.origin.request?.sent === sent && !one.guessed)
  const [done] = response?.done ?? []
  const named = session.byId.get(sent.id ?? '')?.length === 1
  const [error] = named ? (errorsByCause(session).get(sent.id) ?? []) : []
  if (error !== undefined) say.held(row, sent, error)
  // It may be looked up while the response is under way: then that fails.
  else if (done !== undefined && isDecided(done) && objectAt(done.event, 'response')['status'] === 'completed') {
    say.broken(row, `an error: ${show(gone)} was deleted`, 'a response that completed', sent, done)
  }
}

/** Confirmed as deleted, and neither brought nor announced again. */
function isGone(session: Session, id: string, line: number): boolean {
  const life = livesOf(session).get(id)
  if (life === undefined || life.response !== undefined) return false
  const deleted = life.deleted.find((one) => one.line < line)
  const [first] = life.deletes
  if (deleted === undefined || first === undefined) return false
  const again = session.received.some(
    (one) =>
      one.type === 'conversation.item.created' && one.line > deleted.line && one.line < line && itemIdIn(one) === id,
  )
  return !again && !life.creates.some(({ sent }) => sent.line > first.sent.line && sent.line < line)
}
