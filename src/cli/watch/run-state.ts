import { longestRetryAfter } from '#client/http/retry'
import { retryAfter } from '#client/http/retry-after'
import { partOf } from '#spec/part-of'
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
  'wait',
])

/** What a trace that is being written shows of the run. */
export class RunState {
  requests = 0
  /** Started and not ended, the latest last, with the millisecond of their start. */
  readonly running = new Map<string, number>()
  /** One that was disturbed is driven twice. */
  readonly done = new Set<string>()
  /** Of each key, when it sent, in milliseconds of the run, oldest first, and until when a Retry-After keeps it back. */
  readonly keys = new Map<string, { readonly sent: number[]; heldUntil: number }>()
  /** Of each scenario, how many requests it sent by which key. */
  readonly sentBy = new Map<string, Map<string, number>>()
  /** Answers so far, and the milliseconds until they came. */
  readonly answers = { count: 0, ms: 0 }
  readonly #waited = new Map<string, number>()
  /** Of each scenario, the milliseconds that answers to its requests took. */
  readonly #restMs = new Map<string, number>()
  /** By part: its scenarios that are over, and what they took beside answers and waits, such as for events. */
  readonly #beside = new Map<string, { count: number; ms: number }>()
  readonly #asked = new Map<string, RequestEntry>()

  take(entry: Entry): void {
    if (entry.kind === 'scenario-start') this.running.set(entry.scenario, entry.t)
    else if (entry.kind === 'scenario-end') {
      this.#ended(entry.scenario, entry.t)
    } else if (entry.kind === 'wait') {
      const { scenario = '', why, ms } = entry
      if (why !== 'event') this.#waited.set(scenario, (this.#waited.get(scenario) ?? 0) + ms)
    } else if (entry.kind === 'request') this.#sent(entry)
    else if (entry.kind === 'response') this.#answered(entry)
  }

  /** What a scenario is expected to take yet beside answers and waits: as those of its part that are over. */
  besideLeft(scenario: string, now: number): number {
    const { count, ms } = this.#beside.get(partOf(scenario)) ?? { count: 1, ms: 0 }
    return Math.max(0, ms / count - this.#besideOf(scenario, now))
  }

  #besideOf(scenario: string, t: number): number {
    const began = this.running.get(scenario) ?? t
    return Math.max(0, t - began - (this.#waited.get(scenario) ?? 0) - (this.#restMs.get(scenario) ?? 0))
  }

  #ended(scenario: string, t: number): void {
    if (!this.running.has(scenario)) return
    const beside = this.#beside.get(partOf(scenario)) ?? { count: 0, ms: 0 }
    this.#beside.set(partOf(scenario), { count: beside.count + 1, ms: beside.ms + this.#besideOf(scenario, t) })
    this.running.delete(scenario)
    this.done.add(scenario)
    this.#waited.delete(scenario)
    this.#restMs.delete(scenario)
  }

  #sent(entry: RequestEntry): void {
    const { t, key, scenario, exchange, attempt } = entry
    this.requests += 1
    this.#key(key).sent.push(t)
    this.#asked.set(`${exchange} ${attempt}`, entry)
    if (scenario === undefined) return
    const counts = this.sentBy.get(scenario) ?? new Map<string, number>()
    this.sentBy.set(scenario, counts)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  #answered({ t, headers, body, exchange, attempt }: ResponseEntry): void {
    const name = `${exchange} ${attempt}`
    const asked = this.#asked.get(name)
    this.#asked.delete(name)
    if (asked === undefined) return
    const { key, scenario = '' } = asked
    this.answers.count += 1
    this.answers.ms += t - asked.t
    this.#restMs.set(scenario, (this.#restMs.get(scenario) ?? 0) + t - asked.t)
    // Headers of a trace are what came, and dates count from the answer's own.
    const pause = at(body, '/code') === rateExceeded ? retryAfter(headers, Date.now()) : undefined
    // Nobody waits for a longer one.
    if (pause === undefined || pause > longestRetryAfter) return
    const held = this.#key(key)
    held.heldUntil = Math.max(held.heldUntil, t + pause)
  }

  #key(name: string): { readonly sent: number[]; heldUntil: number } {
    const known = this.keys.get(name) ?? { sent: [], heldUntil: 0 }
    this.keys.set(name, known)
    return known
  }
}
