import { Agent, request } from 'undici'
import { WebSocket } from 'ws'

export type JsonObject = Record<string, unknown>

/** One REST answer, its body read as JSON where it is JSON. */
export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  code: unknown
  message: unknown
  data: JsonObject
}

function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Reads a path of field names; undefined where the way ends. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value)
}

/** A plain client for the tests of this folder. Judges nothing. */
export class Visitor {
  readonly #base: string
  readonly #ca: string
  readonly #dispatcher: Agent

  constructor(server: { base_url: string; ca_pem: string }) {
    this.#base = server.base_url
    this.#ca = server.ca_pem
    this.#dispatcher = new Agent({ allowH2: false, connect: { ca: server.ca_pem } })
  }

  /** Sends one request; a string is sent as it is, anything else as JSON. */
  async send(method: string, path: string, key?: string, body?: unknown): Promise<Reply> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await request(this.#base + path, {
      method,
      headers,
      dispatcher: this.#dispatcher,
      ...(payload === undefined ? {} : { body: payload }),
    })
    const envelope: unknown = await answer.body.json()
    const data = at(envelope, 'data')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      code: at(envelope, 'code'),
      message: at(envelope, 'message'),
      data: isFields(data) ? data : {},
    }
  }

  /** Opens a control channel by the header, or by the query when `inQuery`. */
  connect(control: unknown, inQuery = false): Promise<Channel> {
    const url = new URL(String(at(control, 'url')))
    const secret = String(at(control, 'client_secret'))
    if (inQuery) url.searchParams.set('token', secret)
    const headers = inQuery ? {} : { authorization: `Bearer ${secret}` }
    return openChannel(new WebSocket(url, { ca: this.#ca, headers }))
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy()
  }
}

/** An open control channel and everything it has heard. */
export interface Channel {
  events: JsonObject[]
  socket: WebSocket
  /** Resolves with the close code. */
  closed: Promise<number>
  say(event: unknown): void
  /** The first event of `type` at or after position `from`; waits for it. */
  next(type: string, from?: number): Promise<JsonObject>
}

function openChannel(socket: WebSocket): Promise<Channel> {
  const events: JsonObject[] = []
  const listeners = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    const event: unknown = JSON.parse(data.toString())
    if (isFields(event)) events.push(event)
    for (const listener of listeners) listener()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const next = (type: string, from = 0): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.slice(from).find((event) => event.type === type)
        if (found === undefined) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
      void closed.then(() => reject(new Error(`closed before ${type}`)))
    })
  const say = (event: unknown): void => socket.send(typeof event === 'string' ? event : JSON.stringify(event))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve({ events, socket, closed, say, next }))
  })
}
