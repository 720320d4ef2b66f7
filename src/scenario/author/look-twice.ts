import type { Exchange } from '#client/types'
import type { Condition } from '#trace/claim'
import { any } from '#trace/conditions'
import type { Context } from './context.ts'

/** Numbers of two looks at the same thing. The second is sent only where the first does not show what it will. */
export type Looks = readonly [first: number, second: number]

/** Reserves the numbers of two looks, for claims that are written before anything is sent. */
export function twoLooks(c: Pick<Context, 'exchange'>): Looks {
  return [c.exchange(), c.exchange()]
}

/** What holds if one of several looks shows it: only the last one can break it. */
export function either(looks: readonly number[], condition: (exchange: number) => Condition): Condition {
  return any(...looks.map(condition))
}

/**
 * Lists and reads may be behind what was written, and nothing in the interface says by how much. Looks; where that does
 * not show what it will, waits `timeouts.lag_ms` and looks once more. A prompt target is asked once.
 *
 * @param look sends the read under the number that it gets
 * @param fits whether the answer shows what it will; for steering only, the claims judge
 * @returns the answer of the last look
 */
export async function lookTwice(
  c: Pick<Context, 'wait' | 'timeouts'>,
  looks: Looks,
  look: (exchange: number) => Promise<Exchange>,
  fits: (answer: Exchange) => boolean,
): Promise<Exchange> {
  const first = await look(looks[0])
  if (fits(first)) return first
  await c.wait(c.timeouts.lag_ms, 'lag')
  return look(looks[1])
}
