import type { RawData, WebSocket } from 'ws'
import { handlers } from './client-events.ts'
import { Fault, object } from '../reading.ts'
import type { Session } from '../session.ts'

/** Section 8: `event_id` is "up to 512 characters". */
const LONGEST_EVENT_ID = 512

class EventFault extends Error {}

function parse(data: RawData, isBinary: boolean): Record<string, unknown> {
  if (isBinary || !Buffer.isBuffer(data)) throw new Fault('message', 'must be a text frame')
  const text = data.toString()
  try {
    return object(JSON.parse(text), 'message')
  } catch {
    throw new Fault('message', 'must be a JSON object')
  }
}

function checkEventId(event: Record<string, unknown>): void {
  const id = event.event_id
  if (id === undefined) return
  if (typeof id !== 'string') throw new Fault('event_id', 'must be a string')
  if (Array.from(id).length > LONGEST_EVENT_ID)
    throw new Fault('event_id', `is longer than ${LONGEST_EVENT_ID} characters`)
}

function handle(session: Session, data: RawData, isBinary: boolean): void {
  const event = parse(data, isBinary)
  checkEventId(event)
  if (typeof event.type !== 'string' || event.type === '') throw new EventFault('an event needs a type')
  const handler = handlers.get(event.type)
  if (handler === undefined) throw new Fault('type', 'is not a client event of this service')
  handler(session, event)
  session.touched()
}

function describe(error: unknown): Record<string, unknown> {
  const type = 'invalid_request_error'
  if (error instanceof EventFault) return { type, code: 'invalid_event', message: error.message }
  if (error instanceof Fault) return { type, message: error.message }
  return { type: 'server_error', message: 'something went wrong here' }
}

/** Serves one control connection until it ends. Errors go to the connection that caused them, all else to everyone. */
export function serveChannel(session: Session, socket: WebSocket): void {
  session.join(socket)
  socket.on('message', (data, isBinary) => {
    if (session.status !== 'active') return
    try {
      handle(session, data, isBinary)
    } catch (error) {
      session.outlet.tell(socket, 'error', { error: describe(error) })
    }
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => session.leave(socket))
}
