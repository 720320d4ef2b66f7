import type { RestAnswer } from '../../core/envelope.ts'
import type { CreateTry } from '../../core/limits/duplicate-oracle.ts'
import { refusalOf } from '../../core/refusal.ts'

/** What came of a create that was answered without a session, or not answered. */
export function outcomeOf(answer: RestAnswer): CreateTry['outcome'] {
  const refusal = refusalOf(answer)
  if (refusal === 'server') return 'failed'
  if (refusal === 'network' || answer.code === 'no-envelope') return 'lost'
  return refusal === 'final' || refusal === 'request' ? 'refused' : 'throttled'
}
