/** Longer after a fault it is no retry of the same request any more. */
const retriedWithin_ms = 120_000
/** Faults that are remembered at once. */
const mostTroubled = 1_000

export interface Numbered {
  readonly exchange: number
  /** From 1. */
  readonly attempt: number
}

/**
 * Tells which requests are further attempts of one that met a fault of the way, a 429 or a 5xx: the same request, byte for
 * byte and by the same key, soon after. The judge must not take a client's retry for a request of its own.
 */
export class Repetitions {
  readonly #troubled = new Map<string, Numbered & { readonly t: number }>()

  /** @param name of the request: equal for equal ones @param t milliseconds of the run */
  begin(name: string, t: number, next: () => number): Numbered {
    const before = this.#troubled.get(name)
    this.#troubled.delete(name)
    if (before === undefined || t - before.t > retriedWithin_ms) return { exchange: next(), attempt: 1 }
    return { exchange: before.exchange, attempt: before.attempt + 1 }
  }

  troubled(name: string, fault: Numbered & { readonly t: number }): void {
    this.#troubled.set(name, fault)
    if (this.#troubled.size <= mostTroubled) return
    const [oldest] = this.#troubled.keys()
    if (oldest !== undefined) this.#troubled.delete(oldest)
  }
}
