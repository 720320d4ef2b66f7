import { readOnce } from '#judge/read-once'
import { cutsOf } from './disturbance.ts'
import { isKnown } from './watch.ts'
import { first, responsesOf } from './responses.ts'
import type { Response } from './response.ts'
import type { SentEvent, Session } from './sessions.ts'

/** A response that another was asked to take the place of, and that one, which started. */
export interface Interruption {
  readonly sent: SentEvent
  readonly by: Response
}

const interruptionsIn = readOnce((session: Session): ReadonlyMap<Response, Interruption> => {
  const found = new Map<Response, Interruption>()
  for (const response of responsesOf(session)) {
    const interruption = read(session, response)
    if (interruption !== undefined) found.set(response, interruption)
  }
  return found
})

/**
 * What interrupted a response (4.4 Scheduling): the first request of that kind which its own connection sent after its
 * start, where something of the response came after it and nothing else could have cut it short before.
 */
export function interruptionOf(response: Response): Interruption | undefined {
  return interruptionsIn(response.connection.session).get(response)
}

/** Whether it took the place of another one. */
export function isInterrupting(response: Response): boolean {
  return [...interruptionsIn(response.connection.session).values()].some(({ by }) => by === response)
}

function read(session: Session, response: Response): Interruption | undefined {
  const [created] = response.created
  const [sent] = cutsOf(response)
  // An opening may be heard to its end: what says that we asked for it is none.
  if (created === undefined || sent?.type !== 'response.create') return undefined
  if (response.guessed || !isKnown(response)) return undefined
  if (sent.connection !== response.connection || sent.line < created.line) return undefined
  if ((response.events.at(-1)?.line ?? 0) < sent.line) return undefined
  const by = responsesOf(session).find(
    (one) => one.connection === response.connection && one.origin.request?.sent === sent && !one.guessed,
  )
  return by === undefined || !isKnown(by) || first(by).line < sent.line ? undefined : { sent, by }
}
