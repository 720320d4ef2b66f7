import type { WebSocket } from 'ws'
import { handlers } from './client-events.ts'
import { parsed } from '../shapes/pipeline-shape.ts'
import { isBag } from '../reader.ts'
import { Complaint } from '../refusal.ts'
import type { AvatarSession } from '../avatar-sessions/session.ts'

/** One control connection, from its opening to its end. */
export function attend(session: AvatarSession, socket: WebSocket): void {
  session.join(socket)
  socket.on('close', () => session.leave(socket))
  socket.on('error', () => socket.terminate())
  socket.on('message', (data: Buffer, isBinary) => {
    if (session.status === 'active') hear(session, socket, isBinary ? undefined : parsed(data.toString('utf8')))
  })
}

function hear(session: AvatarSession, socket: WebSocket, message: unknown): void {
  const eventId = isBag(message) && typeof message['event_id'] === 'string' ? message['event_id'] : undefined
  try {
    if (!isBag(message)) throw new Complaint('a message is one JSON object')
    if (typeof message['type'] !== 'string') throw new Complaint('an event has a type', 'invalid_event')
    if (message['event_id'] !== undefined && (eventId === undefined || Array.from(eventId).length > 512)) {
      throw new Complaint('event_id is a string of up to 512 characters')
    }
    const handle = handlers.get(message['type'])
    if (handle === undefined) throw new Complaint(`there is no event ${message['type'].slice(0, 60)}`)
    handle({ session, socket, message, eventId: eventId === '' ? undefined : eventId })
    session.touch()
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    const cause = session.choices.namesCauses === 'always' && (eventId?.length ?? 0) <= 512 ? { event_id: eventId } : {}
    const code = error.code === undefined ? {} : { code: error.code }
    session.connections.toOne(socket, {
      error: { ...code, ...cause, message: error.message, type: 'client_mistake' },
      type: 'error',
    })
  }
}
