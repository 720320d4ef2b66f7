import type { Condition, Pattern } from '#trace/claim'
import { any } from '#trace/conditions'
import type { Talk } from './talk.ts'

/** As long as any session of ours lives. */
const session_ms = 3_600_000

/** How much a session takes is not said: one that takes neither this nor anything of its kind later is full. */
export function takesMore(talk: Talk, match: Pattern, confirmed: Condition): Condition {
  return any(confirmed, talk.inTime(match, talk.after(1), talk.closed, { within: session_ms }))
}
