import type { Report, Rule } from '#judge/rule'
import { timeoutOf } from '#judge/timing/timeouts'
import { isRecording } from '#judge/recordings'
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
    const accepted = Map.groupBy(
      all.flatMap((tries) => tries.filter(({ answer }) => answer.kind === 'success')),
      ({ essence }) => essence,
    )
    const known: Known = {
      accepted,
      running_ms: 2 * replyOf(trace),
      recorded: isRecording(trace),
    }
    for (const tries of all) judgeTries(tries, known, report)
    judgeStuck(all, new Set(accepted.keys()), report)
  },
}

interface Known {
  /** Creates that succeeded, by what they asked for. */
  readonly accepted: ReadonlyMap<string, readonly Try[]>
  /** For so long a create may run whose answer nobody has. */
  readonly running_ms: number
  readonly recorded: boolean
}

/** A success after the refusal bears the row out; a later refusal for good goes against it, if the body is a good one. */
function judgeTries(tries: readonly Try[], known: Known, report: Report): void {
  for (const [place, one] of tries.entries()) {
    const row = rowFor(one)
    if (row === undefined) continue
    const same = tries.filter(({ essence }) => essence === one.essence)
    const good = same.find(({ answer }) => answer.kind === 'success' && answer.line > one.answer.line)
    const refusals = tries
      .slice(place + 1)
      .filter((later) => later.essence === one.essence && isForGood(later) && !mayMeetAnother(later, tries, known))
    const bad = known.recorded ? refusals.find(({ sent }) => sent >= one.sent + awhile_ms) : refusals[0]
    if (good !== undefined) report.held(row, one.answer.line, good.answer.line)
    else if (bad?.answer.kind === 'failure' && isGoodBody(one, bad, known)) {
      const lines = [one.answer.line, bad.answer.line]
      const expected = 'a session, as the same body brought with another key'
      report.broken(row, { expected, got: `code ${bad.answer.code}`, lines, scenario: bad.scenario })
    }
  }
}

/** In which a create is answered, if it is answered at all. */
const replyOf = (trace: TraceIndex): number => timeoutOf(trace, 'reply_ms')

/** In a recording what a body rests on may be away for so long: an image that can't be had just then. */
const awhile_ms = 30_000

/** Statuses that ask for another try, whatever code stands under them. */
const againStatuses: ReadonlySet<number> = new Set([408, 425, 429])

function isForGood({ answer, status }: Try): boolean {
  return answer.kind === 'failure' && !passing.has(answer.code) && status < 500 && !againStatuses.has(status)
}

/** Another create of the key may be running still, and the key be told so: in any words that is no answer yet. */
function mayMeetAnother(bad: Try, tries: readonly Try[], { running_ms }: Known): boolean {
  return tries.some((other) => {
    if (other === bad || other.line > bad.line || bad.sent >= other.sent + running_ms) return false
    const told = other.answer.kind === 'failure' && rowFor(other) !== afterFault
    return other.answer.line > bad.line || !(told || other.answer.kind === 'success')
  })
}

/**
 * Whether the same body brought a session under another key. A recorded app may have changed what lies outside of it: an
 * image that is not there for a while, a character. So there it must have done so before and afterwards, and of
 * characters nothing is known.
 */
function isGoodBody(one: Try, bad: Try, { accepted, recorded }: Known): boolean {
  const good = accepted.get(one.essence) ?? []
  if (!recorded) return good.length > 0
  if (one.essence.startsWith('create-session-from-character')) return false
  return good.some(({ line }) => line < one.line) && good.some(({ line }) => line > bad.answer.line)
}
