import type { Answer } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { timeoutOf } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { afterFault, afterRate, keyedCreates, rowFor, type Try } from './keyed-creates.ts'
import { judgeStuck } from './stuck-keys.ts'

/**
 * Refusals that say nothing about a retry (section 7): those that pass, those of what a key may do and of what is left on its
 * account, that of moderation, which may think otherwise by now, and that of a character which is gone by now.
 */
const passing = new Set([10003, 10004, 10005, 10008, 10009, 20005, 30001, 30006, 30008])

/** "On 429, 5xx or timeout, retry Create Session with the same `idempotency_key`" (section 7), wherever that happened. */
export const retries: Rule = {
  id: 'errors.retries',
  proves: [afterFault, afterRate],
  judge(trace, report) {
    const all = keyedCreates(trace)
    if (!all.some((tries) => tries.some((one) => rowFor(one) !== undefined))) return
    const accepted = new Set<string>()
    for (const tries of all) for (const one of tries) if (one.answer.kind === 'success') accepted.add(one.essence)
    for (const tries of all) judgeTries(tries, accepted, 2 * replyOf(trace), report)
    judgeStuck(all, accepted, report)
  },
}

/** A success after the refusal bears the row out; a later refusal for good goes against it, if the body is a good one. */
function judgeTries(tries: readonly Try[], accepted: ReadonlySet<string>, running_ms: number, report: Report): void {
  for (const [place, one] of tries.entries()) {
    const row = rowFor(one)
    if (row === undefined) continue
    const later = tries.slice(place + 1).filter(({ essence }) => essence === one.essence)
    const good = later.find(({ answer }) => answer.kind === 'success')
    // Sooner the create that failed may still be running, and its key be told so.
    const soonest = row === afterFault ? one.sent + running_ms : one.sent
    const bad = later.find(({ answer, status, sent }) => isForGood(answer) && status < 500 && sent >= soonest)
    if (good !== undefined) report.held(row, one.answer.line, good.answer.line)
    else if (bad?.answer.kind === 'failure' && accepted.has(one.essence)) {
      const lines = [one.answer.line, bad.answer.line]
      const expected = 'a session, as the same body brought with another key'
      report.broken(row, { expected, got: `code ${bad.answer.code}`, lines, scenario: bad.scenario })
    }
  }
}

/** In which a create is answered, if it is answered at all. */
const replyOf = (trace: TraceIndex): number => timeoutOf(trace, 'reply_ms')

function isForGood(answer: Answer): boolean {
  return answer.kind === 'failure' && !passing.has(answer.code)
}
