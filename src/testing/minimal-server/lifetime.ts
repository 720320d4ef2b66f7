import type { AutoClose } from './create-request.ts'

/** Node may fire a timer a little early; the spec's timeouts are never undercut. */
const NEVER_EARLY_MS = 50

type Clock = 'expiry' | 'disconnected' | 'idle'

const reasons: Record<Clock, string> = {
  expiry: 'max_duration_reached',
  disconnected: 'disconnected_timeout',
  idle: 'interaction_idle_timeout',
}

/** The three clocks of a session (3.1): its expiry and both automatic closures. */
export class Lifetime {
  readonly #timers = new Map<Clock, NodeJS.Timeout>()
  readonly #policy: AutoClose
  readonly #end: (reason: string) => void
  #over = false

  constructor(maxSeconds: number, policy: AutoClose, end: (reason: string) => void) {
    this.#policy = policy
    this.#end = end
    this.#wind('expiry', maxSeconds)
    this.deserted()
    this.touched()
  }

  /** No control connection exists, or none has ever existed. */
  deserted(): void {
    this.#wind('disconnected', this.#policy.disconnected_timeout_seconds)
  }

  /** A control connection exists again. */
  connected(): void {
    clearTimeout(this.#timers.get('disconnected'))
  }

  /** A client event was accepted. */
  touched(): void {
    this.#wind('idle', this.#policy.interaction_idle_timeout_seconds)
  }

  stop(): void {
    this.#over = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  #wind(clock: Clock, seconds: number): void {
    clearTimeout(this.#timers.get(clock))
    if (seconds === 0 || this.#over) return
    const fire = (): void => this.#end(reasons[clock])
    this.#timers.set(clock, setTimeout(fire, seconds * 1000 + NEVER_EARLY_MS))
  }
}
