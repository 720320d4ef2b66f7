import type {
  FakeService,
  ServiceAnswer,
  ServiceRequest,
  ServiceSocket,
  SocketHandler,
  UpgradeAnswer,
} from './fake-service.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** What the service does after so many milliseconds: sends an event, closes the socket, or says nothing. */
export type Step = readonly [after_ms: number, what: object | 'close' | 'drop']

export interface ClientEvent {
  readonly type: string
  readonly event_id: string
  readonly response?: {
    readonly script: { readonly vocal: { readonly text: string } }
    readonly scheduling_policy?: string
  }
  readonly session?: { readonly active_avatar_id: string }
}

/** What differs from a correct service. */
export interface Quirks {
  /** Answers to creates, in their order; a correct one where there is none left. */
  readonly creates?: readonly (ServiceAnswer | 'silence')[]
  readonly upgrade?: UpgradeAnswer
  readonly closes?: ServiceAnswer
  readonly update?: (event: ClientEvent) => readonly Step[]
  readonly respond?: (event: ClientEvent) => readonly Step[]
  /** `wss:` of another host. */
  readonly controlHost?: string
}

/** Avatar sessions and their control channel, correct but for its quirks. Keeps a log of what it was asked. */
export class FakeAvatars implements FakeService {
  readonly log: string[] = []
  /** Sessions that are open. */
  readonly open = new Set<string>()
  readonly #time: SimulatedTime
  readonly #quirks: Quirks
  readonly #byKey = new Map<string, string>()
  readonly #began: number
  #creates = 0

  constructor(time: SimulatedTime, quirks: Quirks = {}) {
    this.#time = time
    this.#quirks = quirks
    this.#began = time.now()
  }

  request({ method, url, body }: ServiceRequest): ServiceAnswer | 'silence' {
    const path = new URL(url).pathname
    if (method === 'POST' && path === '/v1/realtime-avatar/sessions') return this.#create(JSON.parse(body))
    const closing = /^\/v1\/realtime-avatar\/sessions\/([^/]+)\/close$/.exec(path)?.[1]
    if (closing !== undefined) return this.#close(closing)
    const id = /^\/v1\/realtime-avatar\/sessions\/([^/]+)$/.exec(path)?.[1] ?? ''
    return answered({ session_id: id, status: this.open.has(id) ? 'active' : 'closed' })
  }

  #create({ idempotency_key }: { readonly idempotency_key: string }): ServiceAnswer | 'silence' {
    this.log.push(`create at ${Math.floor(this.#time.now() - this.#began)}`)
    const refusal = this.#quirks.creates?.[this.#creates]
    this.#creates += 1
    if (refusal !== undefined) return refusal
    const id = this.#byKey.get(idempotency_key) ?? `s${this.#byKey.size + 1}`
    this.#byKey.set(idempotency_key, id)
    this.open.add(id)
    const url = `wss://${this.#quirks.controlHost ?? '127.0.0.1'}/v1/realtime-avatar/control?session_id=${id}`
    return answered({ session_id: id, status: 'active', control: { url, client_secret: `secret-of-${id}` } })
  }

  #close(id: string): ServiceAnswer {
    this.log.push(`close ${id}`)
    if (this.#quirks.closes !== undefined) return this.#quirks.closes
    this.open.delete(id)
    return answered({ session_id: id, status: 'closing' })
  }

  upgrade({ url }: ServiceRequest): UpgradeAnswer {
    const id = new URL(url).searchParams.get('session_id') ?? ''
    this.log.push(`upgrade ${id}`)
    return this.#quirks.upgrade ?? { open: (socket) => this.#talk(socket, id), after_ms: 1 }
  }

  #talk(socket: ServiceSocket, id: string): SocketHandler {
    const { update = rightUpdate, respond = rightResponse } = this.#quirks
    return {
      heard: (frame) => {
        const event = JSON.parse(frame) as ClientEvent
        let due = 0
        for (const [after, what] of event.type === 'session.update' ? update(event) : respond(event)) {
          due += after
          this.#time.later(due, () => {
            if (what === 'close') socket.close(1_011)
            else if (what === 'drop') socket.drop()
            else socket.send(JSON.stringify(what))
          })
        }
      },
      closed: () => void this.log.push(`hang up ${id}`),
    }
  }
}

export const answered = (data: object): ServiceAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 0, message: 'ok', data }),
  after_ms: 2,
})

export const refused = (
  status: number,
  code: number,
  headers: { readonly [name: string]: string } = {},
): ServiceAnswer => ({
  status,
  headers,
  body: JSON.stringify({ code, message: 'no', data: null }),
  after_ms: 1,
})

/** `session.updated`, and its end. */
export function rightUpdate({ event_id, session }: ClientEvent): readonly Step[] {
  return [
    [2, { event_id, type: 'session.updated', session: { mode: 'text_chat', ...session, source_image_id: null } }],
    [3, { event_id: `e ${event_id}`, type: 'session.update.done', request_event_id: event_id, status: 'completed' }],
  ]
}

/** Two deltas, 20 ms apart. */
export function rightResponse({ event_id, response }: ClientEvent): readonly Step[] {
  const text = response?.script.vocal.text ?? ''
  const place = { response_id: `r ${event_id}`, item_id: `i ${event_id}`, output_index: 0 }
  const told = { id: `r ${event_id}`, status: 'completed' }
  return [
    [5, { type: 'response.created', response: told, request_event_id: event_id }],
    [10, { type: 'response.output_text.delta', ...place, delta: text.slice(0, 7) }],
    [20, { type: 'response.output_text.delta', ...place, delta: text.slice(7) }],
    [0, { type: 'response.output_text.done', ...place, text }],
    [0, { type: 'response.output_item.done', ...place, item: { id: place.item_id, type: 'message' } }],
    [1, { type: 'response.done', response: told }],
  ]
}
