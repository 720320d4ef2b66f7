import type { WaitEntry } from '#trace/entry'
import type { Context } from './context.ts'

/** How long is looked, and how the pauses between two looks grow, in milliseconds. */
interface Patience {
  /** When this is over, a last look is taken. */
  readonly within_ms: number
  readonly first: number
  /** How many times as long each pause is as the one before; default 2. */
  readonly factor?: number
  readonly longest?: number
  readonly why?: WaitEntry['why']
}

interface Poll<Shown> extends Patience {
  /** What was shown already, before the first pause. */
  readonly shown?: Shown
}

/** A last look comes so soon after its time, lest a timer of the target be as late. */
const beyond_ms = 50

/**
 * Looks again until it shows what is waited for, or time is over.
 *
 * @returns what was shown last
 */
export async function poll<Shown>(
  c: Pick<Context, 'wait'>,
  look: () => Promise<Shown>,
  until: (shown: Shown) => boolean,
  { within_ms, first, factor = 2, longest = Infinity, why = 'backoff', shown: before }: Poll<Shown>,
): Promise<Shown> {
  const deadline = performance.now() + within_ms
  let shown = before ?? (await look())
  for (let pause = first, late = false; !late && !until(shown); pause = Math.min(factor * pause, longest)) {
    await c.wait(Math.max(1, Math.min(pause, deadline + beyond_ms - performance.now())), why)
    late = performance.now() >= deadline
    shown = await look()
  }
  return shown
}
