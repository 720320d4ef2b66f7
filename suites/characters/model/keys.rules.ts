import { isRecording } from '#judge/recordings'
import { judgeKeys, type KeyRows } from '#judge/keys/judge-keys'
import type { Rule } from '#judge/rule'

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

/** Keys of starts. In a recording, which may show the middle of a story, nothing is held against one. */
export const startKeys: Rule = {
  id: 'characters.start-keys',
  proves: Object.values(starts.rows),
  judge(trace, report) {
    if (!isRecording(trace)) judgeKeys(trace, starts, report)
  },
}
