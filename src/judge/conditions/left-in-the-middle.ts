import type { Eventually } from '#trace/claim'
import type { ChannelRecord } from '../trace-index.ts'

/** What tells of the end of a response, or of its whole text (6.2). */
const ends: ReadonlySet<string> = new Set(['response.output_text.done', 'response.output_item.done', 'response.done'])

/**
 * Whether the service left the connection while a response was going on whose end is awaited: no connection lasts for ever,
 * and how long a response takes is not said.
 *
 * @param enough so much silence, in milliseconds, says that it no longer went on
 */
export function leftInTheMiddle({ closed, frames }: ChannelRecord, { match }: Eventually, enough: number): boolean {
  if (closed === undefined || closed.entry.by === 'us') return false
  if (!match.every(({ type }) => typeof type === 'string' && ends.has(type))) return false
  const last = frames.findLast(
    ({ direction, type, line }) =>
      direction === 'received' && line < closed.line && typeof type === 'string' && type.startsWith('response.'),
  )
  return last !== undefined && last.type !== 'response.done' && closed.entry.t - last.t < enough
}
