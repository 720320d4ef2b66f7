import { at, type Json } from '#trace/json'

/** Types and codes of an `error` are open (6.2), but for `invalid_request_error`, and `invalid_event` for a missing `type`. */
const telling =
  /(?:^|[^a-z])(?:server|internal|rate|limit|quota|capacity|overload|busy|unavailable|time_?out|too_many)/i

/**
 * Whether an `error` event tells of a failure or a limit of the service, and nothing of the event that it names: "a client
 * or server processing step fails" (6.2). It is what a 5xx is on REST: weather.
 */
export function isOwnFailure(event: Json | undefined): boolean {
  if (at(event, '/type') !== 'error') return false
  return ['/error/type', '/error/code'].some((place) => {
    const word = at(event, place)
    return typeof word === 'string' && telling.test(word)
  })
}
