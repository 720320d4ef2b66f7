import { Performance, type Stage } from './performance.ts'
import { Complaint } from '../refusal.ts'
import type { Policy } from './response-request.ts'
import type { Score } from './score.ts'

/** How long an interrupted response takes to leave the air. */
const LEAVING_MS = 20

/** Which response is on the air, and which one waits (section 4.4, scheduling). */
export class Director {
  private readonly stage: Stage
  private active: Performance | undefined
  private pending: Score | undefined
  private readonly running = new Set<Performance>()

  constructor(stage: Omit<Stage, 'outputOver' | 'done'>) {
    this.stage = {
      ...stage,
      outputOver: (one) => this.makeWay(one),
      done: (one) => {
        this.running.delete(one)
        this.makeWay(one)
      },
    }
  }

  submit(score: Score, policy: Policy): void {
    const busy = this.active !== undefined || this.pending !== undefined
    if (!busy) return this.start(score, 0)
    switch (policy) {
      case 'reject_if_busy':
        throw new Complaint('the session is busy')
      case 'after_current_response':
        if (this.pending !== undefined) throw new Complaint('another response is waiting already')
        this.pending = score
        return
      default:
        this.interrupt(score)
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

  private interrupt(score: Score): void {
    const old = this.active
    this.pending = undefined
    if (this.stage.contrary && old !== undefined) {
      this.active = undefined
      old.cut('cancelled')
      return this.start(score, 0)
    }
    old?.hush()
    this.start(score, LEAVING_MS + 10)
    if (old !== undefined) this.stage.timers.after(LEAVING_MS, () => old.cut('interrupted'))
  }

  private start(score: Score, wait_ms: number): void {
    const one = new Performance(this.stage, score)
    this.active = one
    this.running.add(one)
    one.start(wait_ms)
  }

  private makeWay(one: Performance): void {
    if (this.active !== one) return
    const next = this.pending
    // In text mode the old one has its `done` still ahead, and is busy until then.
    if (next === undefined && this.running.has(one)) return
    this.active = undefined
    this.pending = undefined
    if (next !== undefined) this.start(next, 0)
  }
}
