import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'

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

type Reading = 'get-avatar-session' | 'list-avatar-sessions'

/** Gets of unknown sessions prevail, so that a service which counts no request that fails is found out. */
const readings: readonly Reading[] = ['get-avatar-session', 'get-avatar-session', 'list-avatar-sessions']

/**
 * Asks for sessions as fast as may be, until the limit is met or twice the limit has gone out within a minute. "All REST
 * calls" (section 8): what is refused for one kind is asked for by the other, too.
 *
 * @param most requests to send here at most; of lists as many once more where those alone get through
 * @returns the answers with 10008 that came in a row at the end, or the first one; none where the limit was not met
 */
export async function burst(c: Context, limit: number, most: number): Promise<readonly Exchange[]> {
  const ends = performance.now() + minute
  const left = new Set(readings)
  let first: Exchange | undefined
  let row: readonly Exchange[] = []
  let slow = 0
  for (let sent = 0, allowed = most; left.size > 0 && sent < allowed && performance.now() < ends; ) {
    const kinds = readings.filter((kind) => left.has(kind))
    const width = first === undefined ? widthFor(c, limit) : 1
    const count = Math.min(slow > 1 ? wide : width, allowed - sent)
    const began = performance.now()
    const asked = Array.from(
      { length: count },
      (_, place) => kinds[(sent + place) % kinds.length] ?? 'list-avatar-sessions',
    )
    const answers = await Promise.all(asked.map((kind) => ask(c, kind)))
    sent += count
    if (count === 1) slow = performance.now() - began > slow_ms ? slow + 1 : 0
    for (const [place, answer] of answers.entries()) {
      const kind = asked[place]
      row = isLimited(answer) ? [...row, answer] : []
      if (!isLimited(answer) || kind === undefined || !left.delete(kind)) continue
      if (first === undefined) allowed = sent + most
      first ??= answer
    }
  }
  return first === undefined || row.length > 0 ? row : [first]
}

function ask(c: Context, kind: Reading): Promise<Exchange> {
  return c.call(
    kind,
    kind === 'list-avatar-sessions' ? hurried : { ...hurried, params: { session_id: c.id('nobody') } },
  )
}

function widthFor(c: Context, limit: number): number {
  const before = c.usage(key, minute).sent
  if (before < limit - close) return Math.min(wide, limit - close - before)
  return before > limit ? wide : 1
}
