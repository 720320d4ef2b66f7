import { show } from '#judge/show'
import { causeOf } from '../model/additions.ts'
import { ruleOf } from '../model/say.ts'
import { type ReceivedEvent, type Connection, type SentEvent, sessionsOf, patienceOf } from '../model/sessions.ts'
import { lastSent } from '../model/watch.ts'

const row = 'error.event-id-names-cause'
/** An error may come twice, and late; that one does so in place of another one, and again, is no chance. */
const twice = 2

interface Stale {
  readonly last: SentEvent
  readonly received: ReceivedEvent
}

/** Errors that come in place of one about the last event, and name an earlier event whose own error had come before that. */
export const staleErrors = ruleOf('stale-errors', [row], (trace, say) => {
  const patience = patienceOf(trace)
  const stale = sessionsOf(trace).flatMap(({ connections }) => connections.flatMap((one) => staleIn(one, patience)))
  if (stale.length < twice) return
  for (const { last, received } of stale) {
    const got = `${show(causeOf(received) ?? '')}, whose error had come before, and nothing else`
    say.broken(row, `the event_id ${show(last.id ?? '')}`, got, last, received)
  }
})

function staleIn(connection: Connection, patience: number): readonly Stale[] {
  const answered = new Set<string>()
  return connection.received.flatMap((received) => {
    const [cause, last] = [causeOf(received), lastSent(received)]
    if (received.type !== 'error' || cause === undefined) return []
    const again = answered.has(cause)
    answered.add(cause)
    if (!again || last?.id === undefined || last.id === cause || !isAlone(received, last, patience)) return []
    // This was the error about the last event, whatever it says.
    answered.add(last.id)
    return [{ last, received }]
  })
}

/** Nothing else came of the last event, for as long as an answer may take. */
function isAlone(received: ReceivedEvent, last: SentEvent, patience: number): boolean {
  const { sent, received: all, until } = received.connection
  const end = sent.find(({ line }) => line > last.line) ?? until
  const others = all.filter((one) => one !== received && one.line > last.line && one.line < end.line)
  return others.length === 0 && end.t - last.t >= patience
}
