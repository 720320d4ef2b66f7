import { retryAfter } from '#client/http/retry-after'
import type { Entry, RequestEntry, ResponseEntry } from '#trace/entry'
import { at } from '#trace/json'

/** Section 7: the rate of the key was exceeded, for which `Retry-After` says how long to wait. */
const rateExceeded = 10008

/** Kinds of entries that tell how far a run is. */
export const tellingKinds: ReadonlySet<Entry['kind']> = new Set([
  'scenario-start',
  'scenario-end',
  'request',
  'response',
  'frame-sent',
  'frame-received',
  'wait',
])

/** What one key did so far. */
export interface KeyState {
  /** When it sent, in milliseconds of the run, oldest first. */
  readonly sent: readonly number[]
  /** Until when a Retry-After keeps it back, in milliseconds of the run; 0 where none does. */
  readonly heldUntil: number
}

/** What a trace that is being written shows of the run. */
export class RunState {
  requests = 0
  /** Started and not ended, the latest last, with the millisecond of their start. */
  readonly running = new Map<string, number>()
  /** One that was disturbed is driven twice. */
  readonly done = new Set<string>()
  readonly keys = new Map<string, { readonly sent: number[]; heldUntil: number }>()
  /** Of each scenario, how many requests it sent by which key. */
  readonly sentBy = new Map<string, Map<string, number>>()
  /** Milliseconds that ended scenarios took, without what they waited for a key. */
  workMs = 0
  readonly #waited = new Map<string, number>()
  /** Seconds of the run in which something was sent or came. */
  readonly #busy = new Set<number>()
  readonly #asked = new Map<string, string>()

  take(entry: Entry): void {
    if (entry.kind === 'scenario-start') this.running.set(entry.scenario, entry.t)
    else if (entry.kind === 'scenario-end') {
      this.#ended(entry.scenario, entry.t)
    } else if (entry.kind === 'wait') {
      const { scenario = '', why, ms } = entry
      if (why !== 'event') this.#waited.set(scenario, (this.#waited.get(scenario) ?? 0) + ms)
    } else {
      this.#busy.add(Math.floor(entry.t / 1_000))
      if (entry.kind === 'request') this.#sent(entry)
      if (entry.kind === 'response') this.#answered(entry)
    }
  }

  /** How many seconds of the run something went on. */
  get busySeconds(): number {
    return this.#busy.size
  }

  #ended(scenario: string, t: number): void {
    const began = this.running.get(scenario)
    if (began === undefined) return
    this.running.delete(scenario)
    this.done.add(scenario)
    this.workMs += Math.max(0, t - began - (this.#waited.get(scenario) ?? 0))
    this.#waited.delete(scenario)
  }

  #sent({ t, key, scenario, exchange, attempt }: RequestEntry): void {
    this.requests += 1
    this.#key(key).sent.push(t)
    this.#asked.set(`${exchange} ${attempt}`, key)
    if (scenario === undefined) return
    const counts = this.sentBy.get(scenario) ?? new Map<string, number>()
    this.sentBy.set(scenario, counts)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  #answered({ t, headers, body, exchange, attempt }: ResponseEntry): void {
    const name = `${exchange} ${attempt}`
    const key = this.#asked.get(name)
    this.#asked.delete(name)
    // Headers of a trace are what came, and dates count from the answer's own.
    const pause = at(body, '/code') === rateExceeded ? retryAfter(headers, Date.now()) : undefined
    if (key === undefined || pause === undefined) return
    const held = this.#key(key)
    held.heldUntil = Math.max(held.heldUntil, t + pause)
  }

  #key(name: string): { readonly sent: number[]; heldUntil: number } {
    const known = this.keys.get(name) ?? { sent: [], heldUntil: 0 }
    this.keys.set(name, known)
    return known
  }
}
