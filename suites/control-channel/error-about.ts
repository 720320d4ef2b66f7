import type { Pattern } from '#trace/claim'
import { event } from '#trace/conditions'
import type { Json } from '#trace/json'

/** "`error.event_id` optional" (6.2): an empty one is none. */
const nameless = { $in: [null, ''], $absent: true }

/** A start that names one of these requests or none: an empty name is none there, too. */
export function startedFor(...ids: readonly string[]): Pattern {
  return event('response.created', { '/request_event_id': { $in: [...ids, ...nameless.$in], $absent: true } })
}

/** An `error` that names this event or none. */
export function errorAbout(id: string): Pattern {
  return event('error', { '/error/event_id': { $in: [id, ...nameless.$in], $absent: true } })
}

/** An `error` about a failure of the server's own, as it seems. */
export const serversOwn = event('error', { '/error/type': 'server_error', '/error/event_id': nameless })

/** An `error` of the service itself over this event, or over one that it does not name. */
export function failureOver(id: string): Pattern {
  return event('error', {
    '/error/type': 'server_error',
    '/error/event_id': { $in: [id, ...nameless.$in], $absent: true },
  })
}

/** An `error` that names no event. */
export const namelessError = event('error', { '/error/event_id': nameless })

/** An `error` that names this event; none where it has no id. */
export function errorsNaming(id: Json | undefined): readonly Pattern[] {
  return typeof id === 'string' && id !== '' ? [event('error', { '/error/event_id': id })] : []
}

/** An `error` about an event that may be refused, or the response that it started. */
export function answersTo(id: string): readonly Pattern[] {
  return [errorAbout(id), event('response.created', { '/request_event_id': id })]
}
