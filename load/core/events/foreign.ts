import type { Flaw } from './chain.ts'

/**
 * Whose request a `response.created` names, if not one of this connection: one of another conversation of this run, or one
 * that nobody sent.
 * @param own what all event ids of this connection begin with; numbers at its end tell it from others of the run
 */
export function foreignNamed(own: string, named: unknown): Flaw | undefined {
  if (typeof named !== 'string' || named === '' || named.startsWith(own)) return undefined
  return named.startsWith(own.replace(/(?:\d+-)+$/, '')) ? 'events-of-another' : 'request-of-another'
}
