import { causeOf } from '../model/additions.ts'
import { conversationOf, responsesOf } from '../model/responses.ts'
import { broughtBy } from '../model/items.ts'
import { type Connection, objectAt, type Session, textAt } from '../model/sessions.ts'

/** The first connection and those that follow it, each asked for when the one before was over: as long as there is only one. */
export function* alone({
  connections,
}: Session): Generator<{ readonly connection: Connection; readonly until: number }> {
  const sorted = connections.toSorted((one, next) => one.opened.line - next.opened.line)
  for (const [place, connection] of sorted.entries()) {
    const next = sorted[place + 1]
    const over = connection.record.closed?.line ?? Number.POSITIVE_INFINITY
    const isFollowed = next !== undefined && over < next.asked.line
    yield { connection, until: next === undefined || isFollowed ? Number.POSITIVE_INFINITY : next.opened.line }
    if (!isFollowed) return
  }
}

/** Nothing begins but what a client asks for. Responses were asked for before a line, and each of them was over or refused by then. */
export function isIdleAt(session: Session, line: number): boolean {
  if (textAt(objectAt(conversationOf(session), 'turn_detection'), 'type') !== 'manual') return false
  const asked = session.sent.filter((sent) => sent.type === 'response.create' && sent.line < line)
  const errors = session.received.filter((one) => one.type === 'error' && one.line < line)
  const over = new Set(
    responsesOf(session).flatMap(({ done, guessed, origin }) =>
      !guessed && (done[0]?.line ?? Number.POSITIVE_INFINITY) < line ? [origin.request?.sent] : [],
    ),
  )
  const refused = new Set(errors.flatMap((one) => causeOf(one) ?? []))
  return asked.length > 0 && asked.every((sent) => over.has(sent) || refused.has(sent.id ?? ''))
}

/** Whether complete items of a `response.create` may have been written before this line, which need not be announced. */
export function bringsItems({ sent }: Session, line: number): boolean {
  return sent.some((one) => one.line < line && broughtBy(one).length > 0)
}
