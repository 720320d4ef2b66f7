import type { ReasonCode } from '#trace/entry'
import type { RequirementResult } from './results.ts'

/** Reasons that leave a MUST row open in a way that nobody can call conformant. */
const blocking: ReadonlySet<ReasonCode> = new Set(['network', 'quota', 'budget', 'prerequisite', 'interrupted'])

/**
 * Whether a row without a verdict stands in the way of calling the target conformant.
 *
 * @param only what the run was narrowed to; a row that stands there by its own id has to be judged
 */
export function isLeftOpen(
  { id, level, verdict, reason_code = 'prerequisite' }: RequirementResult,
  only: readonly string[],
): boolean {
  if (level !== 'must' || verdict !== 'inconclusive') return false
  // Of another tier, it was not even tried, and who asked for that very row has no answer.
  return blocking.has(reason_code) || (reason_code === 'tier' && only.includes(id))
}
