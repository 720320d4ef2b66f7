import type { Override } from '#target/behaviour/behaviour'
import { around } from './operators.ts'

/** Whoever comes while a session has so many connections is refused. */
export const connectionsAtMost = (most: number): Override =>
  around(
    'channel.admission.session-expired',
    (expired) => (attempt) => expired(attempt) || (attempt.session?.connections.size ?? 0) >= most,
  )
