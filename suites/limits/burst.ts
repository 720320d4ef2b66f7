import type { Exchange } from '../../src/client/types.ts'
import type { Context } from '../../src/scenario/context.ts'

export const key = 'rate_limited'
export const minute = 60_000

/** Requests at once while the limit is far. */
const wide = 10
/** So close to the limit requests go one by one, lest one too many is under way; but not where that takes too long. */
const close = 8
const slow_ms = 700

/** Sends at once, whatever the pace; what comes is what counts. */
export const hurried = { key, pace: false, retry: 'never' } as const

export function isLimited({ code }: Exchange): boolean {
  return code === 10008
}

/**
 * Lists sessions as fast as may be, until the limit is met or twice the limit has gone out within a minute.
 *
 * @param most requests to send here at most
 * @returns the first 10008
 */
export async function burst(context: Context, limit: number, most: number): Promise<Exchange | undefined> {
  const ends = performance.now() + minute
  let slow = 0
  for (let sent = 0; sent < most && performance.now() < ends; ) {
    const count = Math.min(slow > 1 ? wide : widthFor(context, limit), most - sent)
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: count }, () => context.call('list-avatar-sessions', hurried)),
    )
    sent += count
    if (count === 1) slow = performance.now() - began > slow_ms ? slow + 1 : 0
    const limited = answers.find(isLimited)
    if (limited !== undefined) return limited
  }
  return undefined
}

function widthFor(context: Context, limit: number): number {
  const before = context.usage(key, minute).sent
  if (before < limit - close) return Math.min(wide, limit - close - before)
  return before > limit ? wide : 1
}
