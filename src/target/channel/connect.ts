import { type RawData, WebSocket } from 'ws'
import type { Service } from '../service.ts'
import { countDisconnected, stir } from '../sessions/clocks.ts'
import type { Session } from '../sessions/session.ts'
import type { Timer } from '../timers.ts'
import type { Connection } from './connection.ts'
import { simulateExtras } from './extras.ts'
import { receive } from './receive.ts'

/** Admits a control connection; reconnecting and several side by side are allowed (5.3). */
export function connect(service: Service, session: Session, socket: WebSocket): void {
  const { channel } = service.behaviour
  if (channel.replacesOlder) for (const older of session.connections) older.socket.close(1000)
  const connection: Connection = { socket, session }
  session.connections.add(connection)
  stir(service, session, 'connect')
  const beat = channel.pingMs > 0 ? keepAlive(service, connection) : undefined
  socket.on('message', (data, binary) => {
    handle(service, connection, bytesOf(data), binary)
  })
  socket.on('pong', () => stir(service, session, 'pong'))
  socket.on('ping', () => stir(service, session, 'pong'))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    beat?.cancel()
    session.connections.delete(connection)
    countDisconnected(service, session)
  })
  simulateExtras(service, connection)
  session.everConnected = true
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

function handle(service: Service, connection: Connection, bytes: Buffer, binary: boolean): void {
  const { reactionMs } = service.behaviour.channel
  if (reactionMs > 0) service.timers.after(reactionMs, () => receive(service, connection, bytes, binary))
  else receive(service, connection, bytes, binary)
}

function keepAlive(service: Service, connection: Connection): Timer {
  let next: Timer | undefined
  const beat = (): void => {
    if (connection.socket.readyState === WebSocket.OPEN) connection.socket.ping()
    next = service.timers.after(service.behaviour.channel.pingMs, beat)
  }
  beat()
  return { cancel: () => next?.cancel() }
}
