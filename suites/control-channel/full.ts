import type { Condition, Pattern, Point } from '#trace/claim'
import { any } from '#trace/conditions'
import type { Talk } from './talk.ts'

/** As long as any session of ours lives. */
const session_ms = 3_600_000

/**
 * How much a session takes is not said: one that takes neither this nor anything of its kind later is full.
 *
 * @param later from where on something of its kind is looked for
 */
export function takesMore(talk: Talk, match: Pattern, confirmed: Condition, later: Point = talk.after(1)): Condition {
  return any(confirmed, talk.inTime(match, later, talk.closed, { within: session_ms }))
}
