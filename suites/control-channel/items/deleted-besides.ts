import { livesOf } from '../model/existence.ts'
import type { Ask } from '../model/items.ts'
import type { ReceivedEvent, Session } from '../model/sessions.ts'

/** An item that was there may go with another one: that a service tells so, beside its answer, is not forbidden. */
export function isDeletedBesides(
  session: Session,
  received: ReceivedEvent,
  id: string,
  waiting: readonly Ask[],
): boolean {
  const { announced, finished, deleted = [] } = livesOf(session).get(id) ?? {}
  const wasThere = ((announced ?? finished)?.line ?? Number.POSITIVE_INFINITY) < received.line
  const isFirst = deleted.every(
    (one) => one === received || one.connection !== received.connection || one.line > received.line,
  )
  return wasThere && isFirst && waiting.every(({ answers }) => answers.length > 0)
}
