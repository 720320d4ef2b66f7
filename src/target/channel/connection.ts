import type { WebSocket } from 'ws'
import type { Session } from '../sessions/session.ts'

/** One admitted control connection. */
export interface Connection {
  readonly socket: WebSocket
  readonly session: Session
}
