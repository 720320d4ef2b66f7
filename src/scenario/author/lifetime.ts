import { isDateTime } from '#spec/formats'
import { stringAt } from '#trace/json'
import type { OpenSession } from './context.ts'

/** How far the target's clock may be behind ours. */
const skew_ms = 30_000

/**
 * Whether a session that was just created may last so long, as far as its answer tells. "Effective maximum session
 * duration" (4.1): what was asked for may have been lowered, and then `expires_at` shows it.
 */
export function mayLast({ data }: OpenSession, seconds: number): boolean {
  const expires = stringAt(data, '/expires_at')
  if (expires === undefined || !isDateTime(expires)) return true
  return Date.parse(expires) - Date.now() > seconds * 1000 - skew_ms
}
