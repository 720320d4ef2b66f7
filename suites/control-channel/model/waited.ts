import { first, responsesOf } from './responses.ts'
import type { Response } from './response.ts'
import type { ReceivedEvent } from './sessions.ts'

/**
 * Whether another response went on after the request, and ended before the start.
 *
 * @param asked the line from which on it waited; default that of the request
 */
export function hasWaited(
  response: Response,
  created: ReceivedEvent,
  asked: number = response.origin.request?.sent.line ?? created.line,
): boolean {
  return responsesOf(created.connection.session).some((one) => {
    const end = one.done[0]?.line ?? one.events.at(-1)?.line ?? 0
    return one !== response && first(one).line < created.line && end > asked
  })
}
