import type { IncomingMessage, ServerResponse } from 'node:http'
import { HOSTILE_KEY } from './hostile-target.ts'
import type { Handler } from './serve.ts'

export const CONTROL_PATH = '/v1/realtime-avatar/control'
const SESSIONS = '/v1/realtime-avatar/sessions'

interface DeskSession {
  session_id: string
  status: 'active' | 'closed'
  client_secret: string
  data: object
}

type JsonObject = Record<string, unknown>

class Rejection extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch {
    // Falls through to the rejection: no JSON and no object are the same fault here.
  }
  throw new Rejection(30004, 'the body is not a JSON object')
}

function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => request.once('end', () => resolve(Buffer.concat(chunks))))
}

function checkKey(authorization: string | undefined): void {
  if (authorization === undefined) throw new Rejection(10001, 'missing api key')
  if (authorization !== `Bearer ${HOSTILE_KEY}`) throw new Rejection(10003, 'invalid api key')
}

/** The avatar that is active, when the request is one this desk can serve: text mode, avatars with ids of their own. */
function readActiveAvatar({ model, session, avatars }: JsonObject): string {
  if (model !== 'svc-a1-stream' && model !== 'svc-a1-stream-lite') throw new Rejection(30004, 'unsupported model')
  const wanted = isFields(session) ? session : {}
  if (wanted.mode !== 'text_chat') throw new Rejection(30004, 'text_chat only')
  const ids: unknown[] = Array.isArray(avatars) ? avatars.map((each) => (isFields(each) ? each.avatar_id : '')) : []
  const sound = ids.every((id) => typeof id === 'string' && id !== '') && new Set(ids).size === ids.length
  const active = wanted.active_avatar_id ?? (ids.length === 1 ? ids[0] : undefined)
  if (!sound || typeof active !== 'string' || !ids.includes(active)) throw new Rejection(30004, 'invalid avatars')
  return active
}

/** A small REST side that works in text mode, so that a hostile control channel is reached at all. */
export class SessionDesk {
  readonly #sessions = new Map<string, DeskSession>()
  readonly #byKey = new Map<string, DeskSession>()
  readonly #controlUrl: (session_id: string, authority: string) => unknown

  constructor(controlUrl: (session_id: string, authority: string) => unknown) {
    this.#controlUrl = controlUrl
  }

  /** Whether the credential of an upgrade, in its query or header, belongs to an active session. */
  admits(request: IncomingMessage): boolean {
    const { searchParams } = new URL(request.url ?? '/', 'wss://here.invalid')
    const given = searchParams.get('token') ?? request.headers.authorization?.replace(/^Bearer /, '')
    const session = this.#sessions.get(searchParams.get('session_id') ?? '')
    return session?.status === 'active' && session.client_secret === given
  }

  readonly answer: Handler = (request, response) => {
    this.#serve(request).then(
      (data) => reply(response, 200, { code: 0, message: 'success', data }),
      (error: unknown) => {
        const code = error instanceof Rejection ? error.code : 50000
        reply(response, 400, { code, message: String(error), data: {} })
      },
    )
  }

  async #serve(request: IncomingMessage): Promise<object> {
    const body = await read(request)
    checkKey(request.headers.authorization)
    const path = request.url?.split('?')[0] ?? ''
    const call = `${request.method} ${path.replace(/(sessions\/)[^/]+/, '$1:id')}`
    if (call === `POST ${SESSIONS}`) return this.#create(parse(body.toString()), request.headers.host ?? '')
    if (call === `GET ${SESSIONS}`) return { sessions: this.#list() }
    const session = this.#sessions.get(path.split('/')[4] ?? '')
    if (session === undefined) throw new Rejection(20005, 'not found')
    if (call === `POST ${SESSIONS}/:id/close`) session.status = 'closed'
    else if (call !== `GET ${SESSIONS}/:id`) throw new Rejection(20005, 'not found')
    return { session_id: session.session_id, status: session.status }
  }

  #list(): object[] {
    const open = [...this.#sessions.values()].filter((session) => session.status === 'active')
    return open.map(({ session_id, status }) => ({ session_id, status }))
  }

  #create(body: JsonObject, authority: string): object {
    const key = typeof body.idempotency_key === 'string' ? body.idempotency_key : ''
    const session = this.#byKey.get(key) ?? this.#open(body, authority)
    if (key !== '') this.#byKey.set(key, session)
    return session.data
  }

  #open(body: JsonObject, authority: string): DeskSession {
    const active_avatar_id = readActiveAvatar(body)
    const session_id = `hs-${this.#sessions.size + 1}`
    const client_secret = `hostile-secret-${this.#sessions.size + 1}`
    const data = {
      session_id,
      status: 'active',
      auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 },
      region: typeof body.region === 'string' ? body.region : '',
      session: { mode: 'text_chat', active_avatar_id },
      control: { url: this.#controlUrl(session_id, authority), client_secret },
      conversation: body.conversation ?? {},
      avatars: body.avatars,
      model: body.model,
    }
    const session: DeskSession = { session_id, status: 'active', client_secret, data }
    this.#sessions.set(session_id, session)
    return session
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
