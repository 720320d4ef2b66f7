import { judgeKeys, type KeyRows } from '#judge/keys/judge-keys'
import type { Rule } from '#judge/rule'
import { propertyIds } from './moves.ts'

/** "Optional `idempotency_key`" of Create Session from Character (4.1): retrying makes no duplicate. */
const starts = {
  create: 'create-session-from-character',
  close: 'close-avatar-session',
  comparesBodies: false,
  rows: {
    again: 'characters.session.retry-same-session',
    atOnce: 'characters.session.concurrent-one-session',
  },
} as const satisfies KeyRows

/** Keys of starts on random walks. */
export const startKeys: Rule = {
  id: 'characters.start-keys',
  proves: Object.values(starts.rows),
  judge: (trace, report) => judgeKeys(trace, starts, report, propertyIds),
}
