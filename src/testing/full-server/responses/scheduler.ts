import { RunningResponse, type ResponseTools } from './running-response.ts'
import { Complaint } from '../refusal.ts'
import type { Policy } from './response-request.ts'
import type { AcceptedResponse } from './accepted-response.ts'

/** How long an interrupted response takes to end. */
const LEAVING_MS = 20

/** Which response is running, and which one waits (section 4.4, scheduling). */
export class ResponseScheduler {
  private readonly tools: ResponseTools
  private active: RunningResponse | undefined
  private pending: AcceptedResponse | undefined
  private readonly running = new Set<RunningResponse>()

  constructor(tools: Omit<ResponseTools, 'outputOver' | 'done'>) {
    this.tools = {
      ...tools,
      outputOver: (one) => this.makeWay(one),
      done: (one) => {
        this.running.delete(one)
        this.makeWay(one)
      },
    }
  }

  submit(accepted: AcceptedResponse, policy: Policy): void {
    const busy = this.active !== undefined || this.pending !== undefined
    if (!busy) return this.start(accepted, 0)
    switch (policy) {
      case 'reject_if_busy':
        throw new Complaint('the session is busy')
      case 'after_current_response':
        if (this.pending !== undefined) throw new Complaint('another response is waiting already')
        this.pending = accepted
        return
      default:
        this.interrupt(accepted)
    }
  }

  /** `response.cancel`. @param strict whether one that finds nothing to cancel is turned down */
  cancel(strict: boolean): void {
    if (strict && this.active === undefined) throw new Complaint('there is nothing to cancel')
    this.active?.cut('cancelled')
  }

  /** All that runs ends at once, and nothing starts any more. */
  shutDown(): void {
    this.pending = undefined
    for (const one of this.running) one.cut('interrupted')
  }

  private interrupt(accepted: AcceptedResponse): void {
    const old = this.active
    this.pending = undefined
    if (this.tools.contrary && old !== undefined) {
      this.active = undefined
      old.cut('cancelled')
      return this.start(accepted, 0)
    }
    old?.hush()
    this.start(accepted, LEAVING_MS + 10)
    if (old !== undefined) this.tools.timers.after(LEAVING_MS, () => old.cut('interrupted'))
  }

  private start(accepted: AcceptedResponse, wait_ms: number): void {
    const one = new RunningResponse(this.tools, accepted)
    this.active = one
    this.running.add(one)
    one.start(wait_ms)
  }

  private makeWay(one: RunningResponse): void {
    if (this.active !== one) return
    const next = this.pending
    // In text mode the old one has its `done` still ahead, and is busy until then.
    if (next === undefined && this.running.has(one)) return
    this.active = undefined
    this.pending = undefined
    if (next !== undefined) this.start(next, 0)
  }
}
