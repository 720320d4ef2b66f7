import type { Flaw } from './chain.ts'
import type { ServerEvent } from './frames.ts'

/** The id of a client event where an event names one: such fields are optional, and empty says as little as absent (6.2). */
export const namedIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** What event ids begin with: all of this connection, and all of this run, whichever scenario of a mix sends them. */
export interface Names {
  readonly own: string
  readonly run: string
}

/** Whose request a `response.created` names, if not one of this connection: one of another conversation of this run, or one that nobody sent. */
export function foreignNamed({ own, run }: Names, value: unknown): Flaw | undefined {
  const named = namedIn(value)
  if (named === undefined || named.startsWith(own)) return undefined
  return named.startsWith(run) ? 'events-of-another' : 'request-of-another'
}

/** Whether an event answers a client event of another conversation of this run. */
export function answersAnother(names: Names, event: ServerEvent): boolean {
  return foreignNamed(names, answered(event)) === 'events-of-another'
}

/** The client event that an answer names (6.2), other than to a `response.create`. */
function answered(event: ServerEvent): unknown {
  if (event.type === 'session.updated') return event['event_id']
  if (event.type === 'session.update.done') return event['request_event_id']
  const { error } = event
  return event.type === 'error' && typeof error === 'object' && error !== null
    ? (error as { readonly event_id?: unknown }).event_id
    : undefined
}
