import type { Override } from '#target/behaviour/behaviour'
import { around, set } from './operators.ts'

/** The time of a session keeps nobody out; one that is closed still lets nobody in. */
export const admitsAfterExpiry: Override = set('channel.admission.session-expired', () => false)

/** Whoever comes while a session has so many connections is refused. */
export const connectionsAtMost = (most: number): Override =>
  around(
    'channel.admission.session-expired',
    (expired) => (attempt) => expired(attempt) || (attempt.session?.connections.size ?? 0) >= most,
  )
