import type { Plan } from './plan.ts'
import { Fault } from './reading.ts'
import type { Policy } from './response-request.ts'

/** A running response, as far as scheduling is concerned. */
export interface Running {
  begin(): void
  cut(): void
}

/** Schedules the responses of one session (4.4): one at a time, and at most one pending. */
export class ResponseDesk {
  readonly #open: (plan: Plan, done: () => void) => Running
  #active: Running | undefined
  #pending: Plan | undefined

  constructor(open: (plan: Plan, done: () => void) => Running) {
    this.#open = open
  }

  request(plan: Plan, policy: Policy): void {
    if (this.#active === undefined) return this.#start(plan)
    if (policy === 'reject_if_busy')
      throw new Fault('response.scheduling_policy', 'reject_if_busy: the session is busy')
    if (policy === 'after_current_response') return this.#queue(plan)
    this.#pending = undefined
    this.#active.cut()
    this.#start(plan)
  }

  cancel(): void {
    if (this.#active === undefined) throw new Fault('response', 'is not active, nothing to cancel')
    this.#active.cut()
  }

  shutdown(): void {
    this.#pending = undefined
    this.#active?.cut()
  }

  #queue(plan: Plan): void {
    if (this.#pending !== undefined) throw new Fault('response.scheduling_policy', 'a response is pending already')
    this.#pending = plan
  }

  #start(plan: Plan): void {
    const running = this.#open(plan, () => this.#next())
    this.#active = running
    running.begin()
  }

  #next(): void {
    this.#active = undefined
    const plan = this.#pending
    this.#pending = undefined
    if (plan !== undefined) this.#start(plan)
  }
}
