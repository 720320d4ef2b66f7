import type { Channel, Frame } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import type { Pattern } from '#trace/claim'

/** So often in a run a session that may stand still is waited for in vain, beside the usual time. */
const mostVain = 4
const standstill = 'any'

interface Wait {
  readonly match: Pattern | readonly Pattern[]
  readonly after: number
  readonly within_ms: number
}

/**
 * Waits for an event after a frame. Where a session says nothing at all meanwhile, it may stand still: it is waited for once
 * more as long, so that its answer is not taken for that of the next event.
 *
 * @param mayStandStill it has answered before, and is given its whole time
 */
export async function nextOf(
  channel: Channel,
  { silences }: Pick<AnyContext, 'silences'>,
  { match, after, within_ms }: Wait,
  mayStandStill: boolean,
): Promise<Frame | undefined> {
  const heard = channel.frames.length
  const found = await channel.next(match, { after, within_ms })
  const silent = found === undefined && channel.frames.length === heard && channel.state === 'open'
  const vain = silences.get(standstill) ?? 0
  if (!silent || !mayStandStill || vain >= mostVain) return found
  const late = await channel.next(match, { after, within_ms })
  if (late === undefined) silences.set(standstill, (silences.get(standstill) ?? 0) + 1)
  return late
}
