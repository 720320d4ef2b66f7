import { WebSocket } from 'ws'
import type { JsonObject } from '../reader.ts'

/** How often an event of an unknown type comes. */
const STRAY_EVERY = 9

/** Everything that goes out on the control connections of one session. */
export class Connections {
  readonly sockets = new Set<WebSocket>()
  private sent = 4100

  /** Ids of events are numbers in decimal. */
  nextId(): string {
    this.sent += 1
    return String(this.sent)
  }

  toOne(socket: WebSocket, event: JsonObject): void {
    const said = this.dressed(event)
    deliver(socket, said)
    if (this.sent % STRAY_EVERY === 0) deliver(socket, this.dressed({ type: 'service.notice', outlook: ['dry'] }))
  }

  toAll(event: JsonObject): void {
    const said = this.dressed(event)
    for (const socket of this.sockets) deliver(socket, said)
    if (this.sent % STRAY_EVERY !== 0) return
    const stray = this.dressed({ type: 'service.notice', outlook: null })
    for (const socket of this.sockets) deliver(socket, stray)
  }

  private dressed(event: JsonObject): string {
    return JSON.stringify({ served: { by: 'second', seq: this.sent }, event_id: this.nextId(), ...event })
  }
}

function deliver(socket: WebSocket, text: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(text)
}
