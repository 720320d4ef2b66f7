import type { WebSocket } from 'ws'
import type { AvatarSession } from '../avatar-sessions/session.ts'
import type { JsonObject } from '../reader.ts'

export interface Heard {
  readonly session: AvatarSession
  readonly socket: WebSocket
  readonly message: JsonObject
  /** The client's id of this event, when it is nonempty. */
  readonly eventId: string | undefined
}
