import type { WebSocket } from 'ws'

export type JsonObject = Record<string, unknown>

/** Every so many events, one of a type that no client knows (9.3: clients ignore it). */
const CHATTER_EVERY = 9

/** The control connections of one session, and the events that go out on them. */
export class Outlet {
  readonly #sockets = new Set<WebSocket>()
  readonly #prefix: string
  #sent = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get size(): number {
    return this.#sockets.size
  }

  join(socket: WebSocket): void {
    this.#sockets.add(socket)
    this.tell(socket, 'service.hello', { motd: 'welcome' })
  }

  leave(socket: WebSocket): void {
    this.#sockets.delete(socket)
  }

  /** A fresh id, unique within the session. */
  eventId(): string {
    this.#sent += 1
    return `${this.#prefix}/e${this.#sent}`
  }

  /** Sends one event to one connection. */
  tell(socket: WebSocket, type: string, fields: JsonObject): void {
    socket.send(JSON.stringify({ x_origin: 'minimal', type, event_id: this.eventId(), ...fields }))
  }

  /** Sends one event to every connection of the session. */
  emit(type: string, fields: JsonObject): void {
    const event = JSON.stringify({ x_origin: 'minimal', type, event_id: this.eventId(), ...fields })
    for (const socket of this.#sockets) socket.send(event)
    if (this.#sent % CHATTER_EVERY === 0) this.#chat()
  }

  #chat(): void {
    const event = JSON.stringify({ type: 'service.notice', event_id: this.eventId(), sky: { clouds: 3 } })
    for (const socket of this.#sockets) socket.send(event)
  }

  /** Says goodbye: the last event, then an orderly close of every connection. */
  hangUp(fields: JsonObject): void {
    for (const socket of this.#sockets) {
      this.tell(socket, 'session.closed', fields)
      socket.close(1000, 'session ended')
    }
    this.#sockets.clear()
  }
}
