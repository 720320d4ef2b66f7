import http from 'k6/http'
import { clearTimeout, setTimeout } from 'k6/timers'
import { controlUrl } from '../core/address.ts'
import { type CommonCount, type CommonTime, countError, phaseOf } from '../core/common-measures.ts'
import { type Creation, creationOf, endingOf, isSession } from '../core/creations.ts'
import { objectOf, readEnvelope, type RestAnswer, type Session, succeeded } from '../core/envelope.ts'
import type { Key } from '../core/keys.ts'
import { isOver, statusIn } from '../core/limits/listing.ts'
import type { RetryBudget } from '../core/retry.ts'
import type { Tally } from '../core/tally.ts'
import type { Connection, Listener, Machine, RestRequest, UpgradeRefusal } from '../scenarios/machine.ts'
import type { Workload } from '../workloads.ts'
import { openConnection } from './connection.ts'
import { printCreate, printCreated, printEnded, printNone } from './lines.ts'
import { sendRequest } from './rest.ts'
import type { Sample } from './sample.ts'
import type { Settings } from './settings.ts'

/** What differs from iteration to iteration, and what the user keeps. */
export interface Place {
  readonly name: string
  readonly key: Key
  readonly intended: number
  readonly retries: RetryBudget
  readonly tally: Tally<CommonCount, CommonTime>
  readonly now: () => number
  readonly random: () => number
  readonly flush: () => void
  /** Undefined for an iteration that is not recorded. */
  readonly sample: Sample | undefined
}

/** Section 7: an avatar session that is unknown, a world session that is missing, closed or expired. */
const NOT_FOUND = '20005'

/** Who waited for so much of the patience that there is gave up; what ended sooner was cut. */
const WAITED = 0.9

/** How long the answer to an upgrade that only asks may take. */
const PROBE_MS = 5_000

/** The machine of one iteration, on k6. */
export class K6Machine implements Machine {
  readonly name: string
  readonly run: string
  readonly workload: Workload
  readonly key: Key
  readonly keys: readonly Key[]
  readonly tally: Tally<CommonCount, CommonTime>
  readonly intended: number
  readonly retries: RetryBudget
  readonly now: () => number
  readonly random: () => number
  readonly flush: () => void
  readonly #settings: Settings
  readonly #sample: Sample | undefined
  /** Sessions that this iteration has open. */
  #open: readonly string[] = []
  /** Of what a close was refused. */
  #refused: readonly string[] = []
  /** What it ended. */
  #over: readonly string[] = []
  #creates = 0

  constructor(settings: Settings, { name, key, intended, retries, tally, now, random, flush, sample }: Place) {
    this.#settings = settings
    this.#sample = sample
    this.workload = settings.workload
    this.run = settings.run
    this.keys = settings.keys
    this.name = name
    this.key = key
    this.intended = intended
    this.retries = retries
    this.tally = tally
    this.now = now
    this.random = random
    this.flush = flush
  }

  later(ms: number, task: () => void): () => void {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  }

  async wait(ms: number): Promise<void> {
    const due = this.now() + ms
    await new Promise<void>((resolve) => void setTimeout(resolve, ms))
    const late = this.now() - due
    this.tally.time('timer_lag_ms').record(late)
    this.#sample?.late(late)
  }

  async request(request: RestRequest): Promise<RestAnswer> {
    const { operation, path } = request
    const key = request.key ?? this.key.name
    const creation = creationOf(operation)
    const create = creation === undefined ? '' : this.#announce(creation, request, key)
    const exchange = this.#sample?.request(request, key)
    const { answer, raw, unsent } = await sendRequest(this.#settings, request, key, this.now)
    if (exchange !== undefined) this.#sample?.answer(exchange, answer, raw)
    const phase = phaseOf(operation)
    if (succeeded(answer) || this.#isGoneAsItMay(request, answer)) {
      this.tally.time(`${phase}_ms`).record(answer.ms)
      if (creation !== undefined) this.#made(creation, create, answer)
    } else {
      countError(this.tally, phase, answer.status, answer.code)
      if (this.#wasGivenUp(request, answer)) this.tally.time(`${phase}_unanswered_ms`).record(answer.ms)
      // What may have made something all the same is left open: it is resolved by its idempotency key.
      if (create !== '' && (unsent || (answer.status > 0 && answer.status < 500))) printNone(create)
    }
    const ending = endingOf(operation, path)
    // What is not found any more was ended by a request of which no answer came.
    if (ending !== undefined && (succeeded(answer) || answer.code === NOT_FOUND)) this.#ended(ending)
    if (ending !== undefined && !succeeded(answer)) this.#refused = [...this.#refused, ending.id]
    if (this.#refused.length > 0 && operation === 'get-avatar-session') this.#lookWhetherOver(path, answer)
    return answer
  }

  /** Whether it was waited for in vain as long as there was patience, and not given up on purpose. */
  #wasGivenUp({ timeout_ms }: RestRequest, { status, ms }: RestAnswer): boolean {
    return status === 0 && timeout_ms === undefined && ms >= WAITED * this.workload.patience_ms
  }

  /** A world session that was closed may be found no more (section 7): that answer is as good as `closed`. */
  #isGoneAsItMay({ operation, path }: RestRequest, { code }: RestAnswer): boolean {
    if (operation !== 'get-world-session' || code !== NOT_FOUND) return false
    return this.#over.includes(decodeURIComponent(path.split('/').at(-1) ?? ''))
  }

  #announce({ resource }: Creation, { operation, body }: RestRequest, key: string): string {
    this.#creates += 1
    const create = `${this.name}#${this.#creates}`
    const idempotencyKey = objectOf(body)['idempotency_key']
    const keyed = typeof idempotencyKey === 'string' ? { idempotency_key: idempotencyKey } : {}
    printCreate(create, { resource, operation, key, ...keyed, ...(body === undefined ? {} : { body }) })
    return create
  }

  #made({ resource, field }: Creation, create: string, { data }: RestAnswer): void {
    const id = data[field]
    if (typeof id !== 'string') return
    printCreated(create, id)
    if (!isSession(resource) || this.#open.includes(id)) return
    this.#open = [...this.#open, id]
    this.tally.count('sessions', 'opened')
  }

  #ended({ resource, id }: { resource: Creation['resource']; id: string }): void {
    printEnded(resource, id)
    this.#over = [...this.#over, id]
    if (!this.#open.includes(id)) return
    this.#open = this.#open.filter((one) => one !== id)
    this.tally.count('sessions', 'closed')
  }

  /** A close may be refused because its session has ended already, or because a close before it was carried out unheard. */
  #lookWhetherOver(path: string, answer: RestAnswer): void {
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    if (!this.#refused.includes(id) || (!succeeded(answer) && answer.code !== NOT_FOUND)) return
    if (isOver(statusIn(answer.code, answer.data))) this.#ended({ resource: 'avatar-session', id })
  }

  /** What this iteration left open, as it ends. */
  get unclosed(): number {
    return this.#open.length
  }

  connect(session: Session, listener: Listener): Connection | undefined {
    const { url, secret } = session
    const safe = controlUrl(url, secret, this.#settings.target)
    if (safe === undefined) return undefined
    const open = (heard: Listener): Connection => openConnection(safe, this.#settings.headers, heard, this.now)
    return this.#sample === undefined ? open(listener) : this.#sample.connection(session, listener, open)
  }

  /** k6's sockets hide the answer to a refused upgrade; a plain request with the same headers gets it whole. */
  async explainRefusal({ url, secret }: Session): Promise<UpgradeRefusal | undefined> {
    const safe = controlUrl(url, secret, this.#settings.target)
    if (safe === undefined) return undefined
    const upgrade = {
      ...this.#settings.headers,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'Z3JlZW5yb29tLXByb2JlIQ==',
    }
    try {
      const answer = await http.asyncRequest('GET', safe.replace(/^ws/i, 'http'), null, {
        headers: upgrade,
        tags: { name: 'control-channel-probe' },
        redirects: 0,
        responseType: 'text',
        timeout: PROBE_MS,
      })
      const { status, code } = readEnvelope(answer.status, answer.body ?? '')
      if (status < 300) return undefined
      countError(this.tally, 'upgrade', status, code)
      return { status, code, retryAfter: answer.headers['Retry-After'], date: answer.headers['Date'] }
    } catch {
      return { status: 0, code: 'network', retryAfter: undefined, date: undefined }
    }
  }
}
