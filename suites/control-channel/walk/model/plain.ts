import { requestOf } from '../../model/script.ts'
import { objectAt, type SentEvent } from '../../model/sessions.ts'
import { timelineOf } from '../../model/timeline.ts'

/** An action or audio alone, in a session that may be in text: neither shows there (4.4), and nothing says what is answered. */
export function isUnheardInText(sent: SentEvent): boolean {
  const { kind } = requestOf(sent)
  if (kind !== 'visual' && kind !== 'audio') return false
  return timelineOf(sent.connection.session).modes(sent.line, sent.line).has('text_chat')
}

/** What an update does to the active response is not said, nor what the deletion of an item does that is still streaming. */
export const isChange = ({ type }: SentEvent): boolean =>
  type === 'session.update' || type === 'conversation.item.delete'

const plainFields: ReadonlySet<string> = new Set(['script', 'scheduling_policy', 'conversation'])

/** A scripted speech with nothing beside that may be refused. */
export function isPlain(sent: SentEvent): boolean {
  const response = objectAt(sent.event, 'response')
  const { kind, policy, conversation } = requestOf(sent)
  const plain = kind === 'speech' && policy !== 'unknown' && conversation !== 'unknown'
  return plain && Object.keys(response).every((name) => plainFields.has(name)) && hasVocalOnly(response)
}

function hasVocalOnly(response: Parameters<typeof objectAt>[0]): boolean {
  const script = objectAt(response, 'script')
  return (
    Object.keys(script).join() === 'vocal' && Object.keys(objectAt(script, 'vocal')).toSorted().join() === 'text,type'
  )
}
