import { evaluate } from '#judge/conditions/conditions'
import { indexTrace } from '#judge/trace-index'
import type { Condition } from '#trace/claim'
import type { TraceBuilder } from './trace-builder.ts'

/** What becomes of a condition in a trace, and why nothing was observed of it. */
export function outcomeIn(trace: TraceBuilder, condition: Condition): string {
  const outcome = evaluate(indexTrace(trace.entries), condition)
  return outcome.state === 'unobserved' ? `unobserved: ${outcome.code}` : outcome.state
}
