import { Agent, request } from 'undici'
import { WebSocket } from 'ws'
import type { KeyName } from '#target/keys'
import { type RunningTarget, startTarget, type TargetOptions } from '#target/start'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import { HANG_MS } from '../hang.ts'

/** What came back from a REST call. */
export interface RawReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: JsonObject
  code: unknown
  data: JsonObject
}

/** A control connection that keeps all it receives. */
export interface RawChannel {
  socket: WebSocket
  events: JsonObject[]
  closed: Promise<number>
  send(event: unknown): void
  /** The first event that fits, of those that came or will come; fails where it never comes. */
  until(fits: (event: JsonObject) => boolean): Promise<JsonObject>
  untilType(type: string): Promise<JsonObject>
  /** Types in order of arrival. */
  types(): string[]
}

export const FACE = { source_image_id: 'face', url: 'https://media.example.com/face.png', media_type: 'image/png' }
export const AVATAR = { avatar_id: 'guide', visual: { source_images: [FACE] } }

export const videoBody = (extra: JsonObject = {}): JsonObject => ({
  model: 'svc-a1-stream',
  output: { aspect_ratio: '9:16', resolution: '480p' },
  avatars: [AVATAR],
  ...extra,
})

export const textBody = (extra: JsonObject = {}): JsonObject => ({
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'guide' }],
  ...extra,
})

export const speak = (text: string, response: JsonObject = {}): JsonObject => ({
  type: 'response.create',
  response: { script: { vocal: { type: 'speech', text } }, ...response },
})

/** One target with raw ways to talk to it; `stop` ends everything. */
export class RawTarget {
  readonly target: RunningTarget
  readonly #dispatcher: Agent
  readonly #sockets: WebSocket[] = []

  private constructor(target: RunningTarget) {
    this.target = target
    this.#dispatcher = new Agent({ connect: { ca: target.ca_pem } })
  }

  static async open(options: TargetOptions = {}): Promise<RawTarget> {
    return new RawTarget(await startTarget({ tls: false, ...options }))
  }

  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions = {}): Promise<RawReply> {
    const headers: Record<string, string> = { ...options.headers }
    if (options.key !== null) headers['authorization'] = `Bearer ${this.target.keys[options.key ?? 'primary']}`
    const { body: given = {} } = options
    const body = typeof given === 'string' || Buffer.isBuffer(given) ? given : JSON.stringify(given)
    const written = method === 'POST' || method === 'PUT'
    if (written) headers['content-type'] ??= 'application/json'
    const answer = await request(`${this.target.base_url}${path}`, {
      method,
      headers,
      body: written ? body : null,
      dispatcher: this.#dispatcher,
    })
    const value: unknown = await answer.body.json()
    const envelope = isWire(value) ? value : {}
    const data = objectAt(envelope, 'data')
    return { status: answer.statusCode, headers: answer.headers, body: envelope, code: envelope['code'], data }
  }

  create(body: unknown, key: KeyName = 'primary'): Promise<RawReply> {
    return this.call('POST', '/v1/realtime-avatar/sessions', { key, body })
  }

  /** Opens `url`; resolves with the channel, or with the HTTP status of a refusal. */
  dial(url: string, headers: Record<string, string> = {}): Promise<RawChannel | number> {
    const socket = new WebSocket(url, { headers, ca: this.target.ca_pem })
    this.#sockets.push(socket)
    const channel = listen(socket)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(channel))
      socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0)
        socket.terminate()
      })
      socket.on('error', reject)
    })
  }

  async connect(session: JsonObject): Promise<RawChannel> {
    const control = objectAt(session, 'control')
    const channel = await this.dial(`${String(control['url'])}&token=${String(control['client_secret'])}`)
    if (typeof channel === 'number') throw new Error(`refused with ${channel}`)
    return channel
  }

  /** Creates a session and connects to it. */
  async session(body: unknown): Promise<{ data: JsonObject; channel: RawChannel }> {
    const { data, code } = await this.create(body)
    if (code !== 0) throw new Error(`create answered ${String(code)}`)
    return { data, channel: await this.connect(data) }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate()
    await this.#dispatcher.destroy()
    await this.target.stop()
  }
}

interface CallOptions {
  /** `null` sends no key. */
  key?: KeyName | null
  body?: unknown
  headers?: Record<string, string>
}

function listen(socket: WebSocket): RawChannel {
  const events: JsonObject[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString('utf8')))
    for (const check of waiting) check()
  })
  const until = (fits: (event: JsonObject) => boolean): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        waiting.delete(check)
        reject(new Error(`nothing fitting among ${events.map((event) => String(event['type'])).join(', ')}`))
      }, HANG_MS)
      const check = (): void => {
        const found = events.find(fits)
        if (found === undefined) return
        clearTimeout(deadline)
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  return {
    socket,
    events,
    closed: new Promise((resolve) => socket.once('close', (code) => resolve(code))),
    send: (event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)),
    until,
    untilType: (type) => until((event) => event['type'] === type),
    types: () => events.map((event) => String(event['type'])),
  }
}
