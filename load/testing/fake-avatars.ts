import type {
  FakeService,
  ServiceAnswer,
  ServiceRequest,
  ServiceSocket,
  SocketHandler,
  UpgradeAnswer,
} from './fake-service.ts'
import { type ClientEvent, rightResponse, rightUpdate, type Step } from './right-answers.ts'
import { Scheduling, type SchedulingLiberty, type SchedulingMistake } from './fake-scheduling.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** What differs from a correct service. */
export interface Quirks {
  /** Answers to creates, in their order; a correct one where there is none left. */
  readonly creates?: readonly (ServiceAnswer | 'silence')[]
  readonly upgrade?: UpgradeAnswer
  /** So long after a connection was hung up, its session takes no other one. */
  readonly leavesSlowly?: number
  /** It lets that one in, and closes it at once. */
  readonly refusesByClose?: boolean
  /** Answers to the first upgrades, in their order. */
  readonly upgrades?: readonly UpgradeAnswer[]
  readonly closes?: ServiceAnswer
  /** Answers to the first closes, which are carried out all the same. */
  readonly firstCloses?: readonly ServiceAnswer[]
  readonly update?: (event: ClientEvent) => readonly Step[]
  readonly respond?: (event: ClientEvent) => readonly Step[]
  /** Responses interrupt each other and wait for each other, rightly or with this mistake; `respond` is not asked. */
  readonly scheduling?: SchedulingMistake | SchedulingLiberty
  /** What Get Session says of a closed session; `closed` two looks after it was closed, if nothing else. */
  readonly closedStatus?: string
  /** How often Get Session says so, before it calls the session active again. */
  readonly revivesAfter?: number
  /** Closed sessions let connections in all the same, for good or for so many milliseconds. */
  readonly oldSecretsWork?: boolean | number
  /** Any secret opens any session. */
  readonly takesAnySecret?: boolean
  /** The service ends a session whose connection is gone. */
  readonly endsWithConnection?: boolean
  /** What Get Session says: of no session its status (its payload is not shown), or within another field, of an ended one that there is none, of any that it failed, another one, or of its connection alone that it is closed. */
  readonly get?: 'no-status' | 'nested' | 'not-found' | 'failed' | 'another' | 'connection'
  /** `wss:` of another host. */
  readonly controlHost?: string
}

/** Avatar sessions and their control channel, correct but for its quirks. Keeps a log of what it was asked. */
export class FakeAvatars implements FakeService {
  readonly log: string[] = []
  /** Which session's connection was hung up by the client, and when. */
  readonly hangUps: { readonly id: string; readonly at: number }[] = []
  /** Sessions that are open. */
  readonly open = new Set<string>()
  readonly #time: SimulatedTime
  readonly #quirks: Quirks
  readonly #byKey = new Map<string, string>()
  readonly #began: number
  readonly #upgrades: UpgradeAnswer[]
  readonly #looks = new Map<string, number>()
  #creates = 0
  #closes = 0

  constructor(time: SimulatedTime, quirks: Quirks = {}) {
    this.#time = time
    this.#quirks = quirks
    this.#began = time.now()
    this.#upgrades = [...(quirks.upgrades ?? [])]
  }

  request({ method, url, body }: ServiceRequest): ServiceAnswer | 'silence' {
    const { pathname: path, searchParams } = new URL(url)
    // A plain request that asks why an upgrade was refused.
    if (path.endsWith('/control')) return this.#probed(searchParams.get('session_id') ?? '')
    if (method === 'POST' && path === '/v1/realtime-avatar/sessions') return this.#create(JSON.parse(body))
    const closing = /^\/v1\/realtime-avatar\/sessions\/([^/]+)\/close$/.exec(path)?.[1]
    if (closing !== undefined) return this.#close(closing)
    const id = /^\/v1\/realtime-avatar\/sessions\/([^/]+)$/.exec(path)?.[1] ?? ''
    return this.#get(id)
  }

  #get(id: string): ServiceAnswer {
    const { get } = this.#quirks
    if (get === 'no-status') return answered({ id, model: 'svc-a1-stream' })
    if (get === 'connection') return answered({ session_id: id, connection: { state: 'closed' } })
    if (get === 'failed') return answered({ session_id: id, status: 'failed' })
    if (get === 'not-found' && !this.open.has(id)) return refused(404, 20_005)
    const status = this.open.has(id) ? 'active' : this.#closedStatus(id)
    if (get === 'another') return answered({ session_id: `another-than-${id}`, status })
    return answered(get === 'nested' ? { session_id: id, session: { status } } : { session_id: id, status })
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

  #probed(id: string): ServiceAnswer | 'silence' {
    this.log.push(`probe ${id}`)
    if (this.#isLeaving(id)) return expired
    const { upgrades = [], upgrade } = this.#quirks
    const answer = [...upgrades, upgrade].find((one) => typeof one === 'object' && 'status' in one)
    return answer === undefined || typeof answer === 'string' || 'open' in answer ? 'silence' : answer
  }

  #closedStatus(id: string): string {
    const looks = this.#looks.get(id) ?? 0
    this.#looks.set(id, looks + 1)
    if (looks >= (this.#quirks.revivesAfter ?? Number.POSITIVE_INFINITY)) return 'active'
    return this.#quirks.closedStatus ?? (looks < 2 ? 'closing' : 'closed')
  }

  #close(id: string): ServiceAnswer {
    this.log.push(`close ${id}`)
    if (this.#quirks.closes !== undefined) return this.#quirks.closes
    const known = this.open.delete(id)
    const lost = this.#quirks.firstCloses?.[this.#closes]
    this.#closes += 1
    if (lost !== undefined) return lost
    if (!known) return refused(404, 20_005)
    return answered({ session_id: id, status: 'closing' })
  }

  upgrade({ url }: ServiceRequest): UpgradeAnswer {
    const { searchParams } = new URL(url)
    const id = searchParams.get('session_id') ?? ''
    const { oldSecretsWork = false, takesAnySecret = false } = this.#quirks
    if (searchParams.get('token') !== `secret-of-${id}` && !takesAnySecret) return refused(401, 20_005)
    this.log.push(`upgrade ${id}`)
    const dead = !this.open.has(id)
    if (dead && oldSecretsWork === false) return refused(404, 20_005)
    if (dead && typeof oldSecretsWork === 'number') return this.#shutSoon(oldSecretsWork)
    if (this.#isLeaving(id)) return this.#quirks.refusesByClose === true ? this.#shutSoon(20) : expired
    const [next] = this.#upgrades.splice(0, 1)
    return next ?? this.#quirks.upgrade ?? { open: (socket) => this.#talk(socket, id), after_ms: 1 }
  }

  #isLeaving(id: string): boolean {
    const { leavesSlowly = 0 } = this.#quirks
    return this.hangUps.some((one) => one.id === id && this.#time.now() < one.at + leavesSlowly)
  }

  /** Lets a connection in, and closes it a while later. */
  #shutSoon(ms: number): UpgradeAnswer {
    const shut = (socket: ServiceSocket): SocketHandler => {
      this.#time.later(ms, () => socket.close(4_001))
      return {}
    }
    return { open: shut, after_ms: 1 }
  }

  #drop(socket: ServiceSocket, id: string): void {
    if (this.#quirks.endsWithConnection === true) this.open.delete(id)
    socket.drop()
  }

  #talk(socket: ServiceSocket, id: string): SocketHandler {
    const { update = rightUpdate, respond = rightResponse, scheduling } = this.#quirks
    const responses = new Scheduling(this.#time, socket, scheduling ?? 'right')
    return {
      heard: (frame) => {
        const event = JSON.parse(frame) as ClientEvent
        if (scheduling !== undefined && event.type === 'response.create') {
          responses.create(event)
          return
        }
        let due = 0
        for (const [after, what] of event.type === 'session.update' ? update(event) : respond(event)) {
          due += after
          this.#time.later(due, () => {
            if (what === 'close') socket.close(1_011)
            else if (what === 'restart') socket.close(1_012)
            else if (what === 'drop') this.#drop(socket, id)
            else socket.send(JSON.stringify(what))
          })
        }
      },
      closed: () => {
        this.log.push(`hang up ${id}`)
        this.hangUps.push({ id, at: this.#time.now() })
      },
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

/** "The realtime URL has expired": what a session is told whose connection before is not gone yet. */
const expired = refused(410, 20_005)
