import { type RawData, WebSocket } from 'ws'
import type { Service } from '../service.ts'
import { countDisconnected, stir } from '../sessions/clocks.ts'
import type { CredentialForm, Session } from '../sessions/session.ts'
import type { Timer } from '../timers.ts'
import type { Connection } from '../sessions/session.ts'
import { greet } from './greet.ts'
import { receive } from './receive.ts'

/** Admits a control connection; reconnecting and several side by side are allowed (5.3). */
export function connect(service: Service, session: Session, socket: WebSocket, form: CredentialForm | undefined): void {
  const { channel } = service.behaviour
  if (channel.replacesOlder) for (const older of session.connections) older.socket.close(1000)
  channel.onConnect(session)
  const connection: Connection = { socket, session }
  session.connections.add(connection)
  session.lastForm = form
  stir(service, session, 'connect')
  const beat = channel.pingMs > 0 ? keepAlive(service, connection) : undefined
  if (channel.quietMs > 0) closeWhenQuiet(service, socket, channel.quietMs)
  socket.on('message', (data, binary) => handle(service, connection, bytesOf(data), binary))
  socket.on('pong', () => stir(service, session, 'pong'))
  socket.on('ping', () => stir(service, session, 'pong'))
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    beat?.cancel()
    session.lastClose = code
    if (channel.leaveMs > 0) service.timers.after(channel.leaveMs, () => disconnect(service, connection))
    else disconnect(service, connection)
  })
  greet(service, connection)
  session.everConnected = true
}

function disconnect(service: Service, connection: Connection): void {
  const { session } = connection
  session.connections.delete(connection)
  const { endsTogether, takesAlong } = service.behaviour.channel
  if (takesAlong === 'pending') session.pending = []
  if (takesAlong === 'active') {
    session.response?.timer?.cancel()
    session.response = undefined
  }
  if (endsTogether) for (const other of session.connections) other.socket.close(1000)
  countDisconnected(service, session)
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

function handle(service: Service, connection: Connection, bytes: Buffer, binary: boolean): void {
  const { reactionMs, stallMs } = service.behaviour.channel
  const { session } = connection
  const { tally } = session
  tally.sent += 1
  const { movesBefore, moveCode } = service.behaviour.channel
  if (movesBefore(session)) {
    connection.socket.close(moveCode)
    return
  }
  if (tally.stalled.length > 0) {
    tally.stalled.push(() => receive(service, connection, bytes, binary))
    return
  }
  const stall = stallMs(session)
  if (stall > 0) {
    tally.stalled.push(() => receive(service, connection, bytes, binary))
    service.timers.after(stall, () => {
      for (const one of tally.stalled.splice(0)) one()
    })
    return
  }
  if (reactionMs > 0) service.timers.after(reactionMs, () => receive(service, connection, bytes, binary))
  else receive(service, connection, bytes, binary)
}

/** Nothing says how long a connection on which nobody says anything stays open. */
function closeWhenQuiet(service: Service, socket: WebSocket, ms: number): void {
  const close = (): void => socket.close(1001)
  let waiting = service.timers.after(ms, close)
  socket.on('message', () => {
    waiting.cancel()
    waiting = service.timers.after(ms, close)
  })
  socket.on('close', () => waiting.cancel())
}

function keepAlive(service: Service, connection: Connection): Timer {
  let next: Timer | undefined
  const beat = (): void => {
    if (connection.socket.readyState === WebSocket.OPEN) service.behaviour.channel.beat(connection.socket)
    next = service.timers.after(service.behaviour.channel.pingMs, beat)
  }
  beat()
  return { cancel: () => next?.cancel() }
}
