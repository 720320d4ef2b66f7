import { objectAt, type ReceivedEvent, textAt } from './sessions.ts'

/** Types and codes of an `error` are open (6.2), but for `invalid_request_error`, and `invalid_event` for a missing `type`. */
const telling =
  /(?:^|[^a-z])(?:server|internal|rate|limit|quota|capacity|overload|busy|unavailable|time_?out|too_many)/i

/**
 * Whether an `error` tells of a failure or a limit of the service, and nothing of the event that it names: "a client or
 * server processing step fails" (6.2).
 */
export function isOwnFailure({ event }: ReceivedEvent): boolean {
  const error = objectAt(event, 'error')
  return [textAt(error, 'type'), textAt(error, 'code')].some((word) => word !== undefined && telling.test(word))
}
