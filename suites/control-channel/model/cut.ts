import type { Response } from './response.ts'
import { objectAt } from './sessions.ts'

/**
 * What still goes on so long after a later event was confirmed shows that what was to end it had no effect, in
 * milliseconds: how soon a cancel or an interruption shows is not said.
 */
export const cutGraceMs = 1_500

/** Whether it ended before its time, or may have: its last texts may be what was spoken, or all that was generated. */
export function mayBeCut({ done }: Response): boolean {
  const [event] = done
  return event === undefined || objectAt(event.event, 'response')['status'] !== 'completed'
}

/**
 * Two texts of an item that may have been cut: one is the beginning of the other, and what is shown the beginning of a
 * script.
 */
export function agreesIfCut(response: Response, streamed: string, shown: string): boolean {
  if (!mayBeCut(response)) return false
  const texts = response.items.size === 1 ? response.origin.request?.texts : undefined
  const begins = streamed.startsWith(shown.trimEnd()) || shown.startsWith(streamed.trimEnd())
  return begins && (texts === undefined || texts.some((text) => text.startsWith(shown.trimEnd())))
}
