import type { Outlet } from './channel/outlet.ts'

/** Updates take a moment to settle, so that a newer one can supersede an older one. */
const SETTLING_MS = 15

/** Acknowledges `session.update` at once and ends each with exactly one `session.update.done` (3.5). */
export class UpdateDesk {
  readonly #outlet: Outlet
  #open: { request_event_id: string; timer: NodeJS.Timeout } | undefined

  constructor(outlet: Outlet) {
    this.#outlet = outlet
  }

  /** Acknowledges an update that has been applied. */
  accept(request_event_id: string, session: Record<string, unknown>): void {
    this.#end('cancelled', 'superseded')
    this.#outlet.emit('session.updated', { event_id: request_event_id, session })
    this.#open = { request_event_id, timer: setTimeout(() => this.#end('completed'), SETTLING_MS) }
  }

  shutdown(): void {
    this.#end('cancelled', 'session_shutdown')
  }

  #end(status: 'completed' | 'cancelled', reason?: string): void {
    if (this.#open === undefined) return
    const { request_event_id, timer } = this.#open
    clearTimeout(timer)
    this.#open = undefined
    const why = reason === undefined ? {} : { reason }
    this.#outlet.emit('session.update.done', { request_event_id, status, ...why })
  }
}
