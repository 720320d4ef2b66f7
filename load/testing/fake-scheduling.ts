import { type ClientEvent, rightResponse, type Step } from './right-answers.ts'
import type { ServiceSocket } from './fake-service.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** What a service may do wrong with responses that follow each other. */
export type SchedulingMistake =
  | 'interrupted-never-end'
  | 'pending-never-starts'
  | 'pending-is-lost'
  | 'last-is-cut-short'
  | 'pending-survives-interrupt'
  | 'pending-survives-one-interrupt'
  | 'cleared-starts-later'
  | 'interrupts-wait'
  | 'interrupts-wait-for-ever'
  | 'many-wait'
  | 'rejects-all'
  | 'interrupts-race'

/** What it may do. */
export type SchedulingLiberty =
  | 'right'
  | 'causes-unnamed'
  | 'names-empty'
  | 'tries-again'
  | 'fails-once'
  | 'fails-once-by-its-own-name'
  | 'fails-once-unnamed'
  | 'texts-bounded'
  | 'texts-bounded-unnamed'
  | 'texts-bounded-tightly'
  | 'unbegun-untold'
  | 'ids-missing'
  | 'text-trickles'
  | 'text-never-ends'
  | 'text-flows'
  | 'text-by-characters'
  | 'hears-late'
  | 'handled-side-by-side'
  | 'opening-speaks'
  | 'opening-speaks-unnamed'
  | 'session-ends'

/** Where texts are bounded: as long as this. */
const LONGEST_TEXT = 4_000
const SHORT_TEXT = 150

/** A response whose text takes a quarter of a minute, or one with so many empty deltas that it goes on for hours. */
function trickling(event: ClientEvent, forEver: boolean): readonly Step[] {
  const [created, ...rest] = rightResponse(event)
  const [first] = rest
  if (created === undefined || first === undefined) return []
  const [, delta] = first
  const empty: Step = [500, { ...(delta as object), delta: '' }]
  return [created, ...Array.from({ length: forEver ? 2_000 : 30 }, () => empty), ...rest]
}

/** A response at a pace of its own: this many characters every 20 ms. */
function flowing(event: ClientEvent, characters = 100): readonly Step[] {
  const [created, delta, , ...ends] = rightResponse(event)
  const text = event.response?.script.vocal.text ?? ''
  if (created === undefined || delta === undefined) return []
  const pieces = Array.from({ length: Math.ceil(text.length / characters) }, (_, index): Step => {
    const piece = text.slice(index * characters, (index + 1) * characters)
    return [20, { ...(delta[1] as object), delta: piece }]
  })
  return [created, ...pieces, ...ends]
}

/** What it does at the pace of `flowing`: all that is shown by a response that goes on for long. */
const flow: readonly string[] = [
  'text-flows',
  'hears-late',
  'interrupts-wait',
  'many-wait',
  'handled-side-by-side',
  'pending-survives-interrupt',
  'pending-survives-one-interrupt',
  'cleared-starts-later',
  'interrupts-race',
]
const OPENING_MS = 40
/** Where each event is handled by a task of its own: how long these take. */
const tasksMs = [80, 20, 50] as const
/** Where what interrupts is not kept apart: what was heard so shortly before is not seen to be active. */
const RACE_MS = 10
/** So long after it was sent, an event is heard. */
const HEARS_LATE_MS = 700

/** Responses of one connection: the default interrupts, one `after_current_response` may wait (section 4.4). */
export class Scheduling {
  readonly #time: SimulatedTime
  readonly #socket: ServiceSocket
  readonly #way: SchedulingMistake | SchedulingLiberty
  #active: { readonly event: ClientEvent; readonly callOff: readonly (() => void)[]; told: boolean } | undefined
  #startedAt = 0
  #pending: ClientEvent | undefined
  #heard = 0
  #interrupts = 0
  /** How many there were when the response that waits was heard. */
  #interruptsBefore = 0
  /** What waits by mistake. */
  readonly #queue: ClientEvent[] = []
  /** What was cleared, and starts by mistake once nothing else goes on. */
  #later: ClientEvent | undefined

  constructor(time: SimulatedTime, socket: ServiceSocket, way: SchedulingMistake | SchedulingLiberty) {
    this.#time = time
    this.#socket = socket
    this.#way = way
  }

  create(event: ClientEvent): void {
    this.#heard += 1
    if (this.#way.startsWith('opening-speaks')) {
      if (this.#heard === 1) this.#open()
      this.#time.later(OPENING_MS, () => this.#hear(event))
      return
    }
    if (this.#way === 'hears-late') this.#time.later(HEARS_LATE_MS, () => this.#hear(event))
    else if (this.#way === 'handled-side-by-side')
      this.#time.later(tasksMs[this.#heard % tasksMs.length] ?? 0, () => this.#hear(event))
    else this.#hear(event)
  }

  /** The opening begins as the first request is on its way, and is cut when that is heard. */
  #open(): void {
    const response = { id: 'r opening', status: 'in_progress' }
    const place = { response_id: response.id, output_index: 0 }
    this.#send({ type: 'response.created', response })
    this.#send({ type: 'response.output_text.delta', ...place, item_id: 'i opening', delta: 'Welcome to' })
    this.#time.later(OPENING_MS, () => {
      this.#send({ type: 'response.output_item.done', ...place, item: { id: 'i opening', type: 'message' } })
      this.#send({ type: 'response.done', response: { ...response, status: 'cancelled' } })
    })
  }

  #hear(event: ClientEvent): void {
    const length = event.response?.script?.vocal?.text?.length ?? 0
    const longest = this.#way === 'texts-bounded-tightly' ? SHORT_TEXT : LONGEST_TEXT
    if (this.#way === 'rejects-all' || (this.#way.startsWith('texts-bounded') && length > longest)) {
      this.#reject(event)
      return
    }
    const waits = event.response?.scheduling_policy === 'after_current_response'
    // The response of the fourth round that nobody interrupts, and the one that waits in the sixth.
    if (this.#way.startsWith('fails-once') && /-(?:3-3|5-4)$/.test(event.event_id)) {
      const cause = this.#way === 'fails-once-unnamed' ? undefined : event.event_id
      this.#fail(cause, this.#way === 'fails-once' ? 'server_error' : 'tts_error')
      return
    }
    const queues = this.#way.startsWith('interrupts-wait') ? !waits : this.#way === 'many-wait' && waits
    if (queues && this.#active !== undefined) {
      this.#queue.push(event)
      return
    }
    if (waits && this.#active !== undefined) {
      if (this.#pending !== undefined) this.#reject(event)
      else if (this.#way !== 'pending-is-lost') this.#pending = event
      this.#interruptsBefore = this.#interrupts
      return
    }
    if (this.#way !== 'interrupts-race' || this.#time.now() >= this.#startedAt + RACE_MS) this.#cancel()
    this.#queue.length = 0
    if (this.#way === 'cleared-starts-later') this.#later ??= this.#pending
    if (!this.#leavesPending()) this.#pending = undefined
    this.#start(event)
  }

  #leavesPending(): boolean {
    if (this.#way === 'pending-survives-one-interrupt') return this.#interrupts - this.#interruptsBefore === 1
    return this.#way === 'pending-survives-interrupt'
  }

  #start(event: ClientEvent): void {
    let due = 0
    const trickles = this.#way === 'text-trickles' || this.#way === 'text-never-ends'
    const steps = trickles
      ? trickling(event, this.#way === 'text-never-ends')
      : flow.includes(this.#way)
        ? flowing(event)
        : this.#way === 'interrupts-wait-for-ever' || this.#way === 'text-by-characters'
          ? flowing(event, 1)
          : rightResponse(event)
    const callOff = steps.map(([after, what]) => {
      due += after
      return this.#time.later(due, () => this.#say(event, what))
    })
    this.#active = { event, callOff, told: false }
    this.#startedAt = this.#time.now()
  }

  #say(event: ClientEvent, what: object | string): void {
    const { type } = what as { type?: string }
    if (this.#active !== undefined) this.#active.told = true
    if (this.#way === 'session-ends' && type === 'response.done' && this.#pending !== undefined) {
      this.#endSession(event)
      return
    }
    const cutShort = this.#way === 'last-is-cut-short' && type === 'response.done' && this.#pending !== undefined
    const status = { id: `r ${event.event_id}`, status: 'incomplete' }
    this.#send(cutShort ? { type, response: status } : what)
    if (type !== 'response.done' || this.#active?.event !== event) return
    this.#active = undefined
    const next = this.#queue.shift() ?? this.#pending ?? this.#later
    if (this.#pending === undefined) this.#later = undefined
    this.#pending = undefined
    if (next !== undefined && this.#way !== 'pending-never-starts') this.#start(next)
  }

  #cancel(): void {
    const active = this.#active
    if (active === undefined) return
    for (const callOff of active.callOff) callOff()
    this.#active = undefined
    this.#interrupts += 1
    const { event_id } = active.event
    if (this.#way === 'interrupted-never-end') return
    if (this.#way === 'unbegun-untold' && !active.told) return
    const response = { id: `r ${event_id}`, status: 'in_progress' }
    // One that was interrupted before it was told of still has a beginning.
    if (!active.told) this.#send({ type: 'response.created', response, request_event_id: event_id })
    const place = { response_id: response.id, output_index: 0, item: { id: `i ${event_id}`, type: 'message' } }
    this.#send({ type: 'response.output_item.done', ...place })
    this.#send({ type: 'response.done', response: { ...response, status: 'cancelled' } })
  }

  /** The service may end a session (3.1): what is spoken there is cancelled, then the client is told, then hung up on. */
  #endSession({ event_id }: ClientEvent): void {
    this.#send({ type: 'response.done', response: { id: `r ${event_id}`, status: 'cancelled' } })
    this.#active = this.#pending === undefined ? undefined : { event: this.#pending, callOff: [], told: false }
    this.#cancel()
    this.#time.later(40, () => this.#send({ type: 'session.closed', session_id: 's1', reason: 'maintenance' }))
    this.#time.later(50, () => this.#socket.close(1_001))
  }

  #send(said: object | string): void {
    const isUnnamed =
      ['names-empty', 'opening-speaks-unnamed'].includes(this.#way) &&
      typeof said === 'object' &&
      'request_event_id' in said
    const what = isUnnamed ? { ...said, request_event_id: '' } : said
    const { response, type, request_event_id } = what as { response?: object; type?: string; request_event_id?: string }
    if (this.#way === 'tries-again' && type === 'response.created') this.#fail(request_event_id, 'server_error')
    const bare = this.#way === 'ids-missing' && response !== undefined ? { ...response, id: undefined } : response
    this.#socket.send(JSON.stringify(response === undefined ? what : { ...(what as object), response: bare }))
  }

  /** A step of the service failed. */
  #fail(event_id: string | undefined, type: string): void {
    this.#socket.send(JSON.stringify({ type: 'error', error: { type, message: 'no', event_id } }))
  }

  #reject({ event_id }: ClientEvent): void {
    const cause = this.#way.endsWith('unnamed') ? {} : { event_id: this.#way === 'names-empty' ? '' : event_id }
    const error = { type: 'invalid_request_error', message: 'no', ...cause }
    this.#socket.send(JSON.stringify({ type: 'error', error }))
  }
}
