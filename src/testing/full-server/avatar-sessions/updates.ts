import type { Connections } from '../channel/connections.ts'
import type { WebSocket } from 'ws'
import type { Timers } from '../timers.ts'

/** How long an update is under way before its terminal result. */
const UPDATE_MS = 45

/** The terminal results of accepted `session.update` events; a newer one supersedes an older one. */
export class Updates {
  private readonly connections: Connections
  private readonly timers: Timers
  private open: { readonly id: string; readonly socket: WebSocket; readonly callOff: () => void } | undefined

  constructor(connections: Connections, timers: Timers) {
    this.connections = connections
    this.timers = timers
  }

  accepted(id: string, socket: WebSocket): void {
    const callOff = this.timers.after(UPDATE_MS, () => {
      this.open = undefined
      this.connections.toOne(socket, { type: 'session.update.done', status: 'completed', request_event_id: id })
    })
    this.open = { id, socket, callOff }
  }

  /** The update that is under way, if any, ends for this reason. */
  cancel(reason: string): void {
    const { open } = this
    if (open === undefined) return
    this.open = undefined
    open.callOff()
    this.connections.toOne(open.socket, {
      type: 'session.update.done',
      status: 'cancelled',
      request_event_id: open.id,
      reason,
    })
  }
}
