import { at, type Json } from '#trace/json'

// Types and codes of an `error` are open (6.2), but for `invalid_request_error`, and `invalid_event` for a missing `type`.
const limits = /(?:^|[^a-z])(?:limit|quota|rate_?limit|capacity|overload|unavailable|time_?out|too_many)/i
const failures =
  /(?:^|[^a-z])(?:server|internal|upstream|backend|gateway|processing|transient|temporar(?:y|ily)|retryable|unexpected|exception|unknown_error|(?:api|engine|generation|model|pipeline|provider|service|system)_?(?:error|fail))/i

/** What says of a client's event, even under a type that blames it, that there were only too many of them. */
const tooMany = /rate_?limit|too_many_(?:requests|events)/i

/**
 * Whether an `error` event tells of a failure or a limit of the service, and nothing of the event that it names: "a client
 * or server processing step fails" (6.2). It is what a 5xx is on REST, and counts as a transport failure does.
 */
export function isOwnFailure(event: Json | undefined): boolean {
  return ownFailure(event) !== undefined
}

/** A limit may be met each time; a failure that comes each time is what the target does. */
export function ownFailure(event: Json | undefined): 'limit' | 'failure' | undefined {
  if (at(event, '/type') !== 'error') return undefined
  const [type, code] = ['/error/type', '/error/code'].map((place) => at(event, place))
  const words = [type, code].filter((word) => typeof word === 'string')
  if (type === 'invalid_request_error') return words.some((word) => tooMany.test(word)) ? 'limit' : undefined
  if (words.some((word) => limits.test(word))) return 'limit'
  return words.some((word) => failures.test(word)) ? 'failure' : undefined
}

/** Why nothing is said of a response that failed: it may fail (2.10), as a 5xx may come. Each of them does where it means something. */
export const responseFailed = 'the response failed'

/** Why less came of a response than was asked for: it may end so (2.10, 3.4), and does each time where it means something. */
export const responseIncomplete = 'the response ended incomplete'

export function isFailedResponse(event: Json | undefined): boolean {
  return at(event, '/type') === 'response.done' && at(event, '/response/status') === 'failed'
}

/** Why a breach at this end of a response may be an accident; undefined where it did not fail. */
export const failureOf = (done: Json | undefined): string | undefined =>
  isFailedResponse(done) ? responseFailed : undefined

/** Whether a received event tells that the service failed over the event of ours with this id. */
export function failedOver(event: Json | undefined, id: Json | undefined): boolean {
  return typeof id === 'string' && id !== '' && at(event, '/error/event_id') === id && isOwnFailure(event)
}

/** The same of an event that we sent, which may have no id: an `error` over that one names none, and may be about anything. */
export function mayHaveFailedOver(event: Json | undefined, sent: Json | undefined): boolean {
  const id = at(sent, '/event_id')
  return sent === undefined || typeof id === 'string' ? failedOver(event, id) : isNamelessFailure(event)
}

/** A failure of the service's own that names no event of ours may be about anything. */
export function isNamelessFailure(event: Json | undefined): boolean {
  return (at(event, '/error/event_id') ?? '') === '' && isOwnFailure(event)
}
