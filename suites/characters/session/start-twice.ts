import type { Context, OpenSession } from '#scenario/author/context'
import { look } from '#scenario/author/session-ending'
import type { JsonObject } from '#trace/json'
import { tryBegin } from '../acts.ts'

/** Judged by a rule, which knows whether the first session goes on. */
export const retried = 'characters.session.retry-same-session'

/**
 * The same start again, with its key: while its session is open, it makes no second one, whatever was saved since. Where it
 * did, a look tells whether the first one had ended by itself (3.1).
 */
export async function startTwice(c: Context, body: JsonObject, first: OpenSession): Promise<void> {
  // At the concurrency limit a repeated start may be told so.
  const received = await c.call('create-session-from-character', { body, retry: 'never' })
  const other = received.ok ? c.adopt(received) : first
  if (other.id === first.id) return
  await look(c, first)
  await c.close(other)
}

/** A start, and the same again. With its key, one with overrides makes no second session either. @returns whether it was taken */
export async function beginTwice(c: Context, body: JsonObject, exchange = c.exchange()): Promise<boolean> {
  const session = await tryBegin(c, body, { exchange })
  if (session === undefined) return false
  await startTwice(c, body, session)
  await c.close(session)
  return true
}
