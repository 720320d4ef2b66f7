import { show } from '#judge/show'
import { causeOf } from '../model/additions.ts'
import { type Life, livesOf } from '../model/existence.ts'
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
  const gone = ids.find((id) => isGone(livesOf(session).get(id), sent.line))
  if (gone === undefined) return
  const response = responsesOf(session).find((one) => one.origin.request?.sent === sent && !one.guessed)
  const [done] = response?.done ?? []
  const named = session.byId.get(sent.id ?? '')?.length === 1
  const error = session.received.find((one) => one.type === 'error' && named && causeOf(one) === sent.id)
  if (error !== undefined) say.held(row, sent, error)
  // It may be looked up while the response is under way: then that fails.
  else if (done !== undefined && isDecided(done) && objectAt(done.event, 'response')['status'] === 'completed') {
    say.broken(row, `an error: ${show(gone)} was deleted`, 'a response that completed', sent, done)
  }
}

/** Confirmed as deleted, and not brought again. */
function isGone(life: Life | undefined, line: number): boolean {
  if (life === undefined || life.response !== undefined) return false
  const deleted = life.deleted.find((one) => one.line < line)
  const [first] = life.deletes
  if (deleted === undefined || first === undefined) return false
  return !life.creates.some(({ sent }) => sent.line > first.sent.line && sent.line < line)
}
