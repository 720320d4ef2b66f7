import { type Answer, answerTo } from '#judge/answers'
import { createsAvatarSession } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import { timeoutOf } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { errorCodeNames } from '#spec/tables'
import type { RequirementId } from '#spec/register'
import { isObject, type JsonObject } from '#trace/json'

const afterFault: RequirementId = 'errors.retry.after-5xx-same-key'
const afterRate: RequirementId = 'errors.retry.after-10008-same-key'

/** Refusals that pass (section 7), and that of a character which is gone by now: they say nothing about a retry. */
const passing = new Set([10008, 30006, 30008, 20005])

/** "On 429, 5xx or timeout, retry Create Session with the same `idempotency_key`" (section 7), wherever that happened. */
export const retries: Rule = {
  id: 'errors.retries',
  proves: [afterFault, afterRate],
  judge(trace, report) {
    const all = keyedCreates(trace)
    if (!all.some((tries) => tries.some((one) => rowFor(one) !== undefined))) return
    const accepted = new Set<string>()
    for (const tries of all) for (const one of tries) if (one.answer.kind === 'success') accepted.add(one.essence)
    for (const tries of all) {
      judgeTries(tries, accepted, 2 * replyOf(trace), report)
      judgeStuck(tries, accepted, report)
    }
  },
}

interface Try {
  readonly answer: Answer
  /** HTTP status; 0 for none. */
  readonly status: number
  /** The key's name and the body without its idempotency key. */
  readonly essence: string
  readonly scenario: string | undefined
  /** Milliseconds of the run. */
  readonly sent: number
}

/**
 * So many faults of one key, and nothing else for longer than a restart takes, are no coincidence when the same body goes
 * through under another key.
 */
const stuckAfter = 4
const stuck_ms = 12_000

function judgeStuck(tries: readonly Try[], accepted: ReadonlySet<string>, report: Report): void {
  const [first, last] = [tries[0], tries.at(-1)]
  if (first === undefined || last === undefined || last.sent - first.sent < stuck_ms) return
  const stuck = tries.length >= stuckAfter && tries.every((one) => rowFor(one) === afterFault)
  if (!stuck || !accepted.has(first.essence)) return
  const lines = tries.map(({ answer }) => answer.line)
  const expected = 'a session, as the same body brought with another key'
  report.broken(afterFault, { expected, got: `${tries.length} times a 5xx`, lines, scenario: first.scenario })
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

function rowFor({ answer, status }: Try): RequirementId | undefined {
  if (answer.kind === 'failure' && answer.code === 10008) return afterRate
  if (status < 500) return undefined
  // A refusal may travel under any status; only an answer without a listed code is a fault of the service.
  const listed = answer.kind === 'failure' && errorCodeNames(answer.code).length > 0
  return answer.kind === 'success' || listed ? undefined : afterFault
}

function isForGood(answer: Answer): boolean {
  return answer.kind === 'failure' && !passing.has(answer.code)
}

/** All tries with one key of one workspace, in the order in which they were sent. */
function keyedCreates(trace: TraceIndex): readonly (readonly Try[])[] {
  const found = new Map<string, { readonly line: number; readonly one: Try }[]>()
  for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
    if (!createsAvatarSession(operation)) continue
    for (const attempt of attempts) {
      const { body } = attempt.request.entry
      const again = isObject(body) ? body['idempotency_key'] : undefined
      if (!isObject(body) || typeof again !== 'string' || again === '') continue
      const name = `${operation} ${key} ${again}`
      const status = attempt.response?.entry.status ?? 0
      const one: Try = {
        answer: answerTo(attempt),
        status,
        // Nobody asks where nothing went wrong.
        get essence() {
          return `${operation} ${key} ${essenceOf(body)}`
        },
        scenario,
        sent: attempt.request.entry.t,
      }
      const tries = found.get(name)
      if (tries === undefined) found.set(name, [{ line: attempt.request.line, one }])
      else tries.push({ line: attempt.request.line, one })
    }
  }
  return [...found.values()].map((tries) => tries.toSorted((a, b) => a.line - b.line).map(({ one }) => one))
}

function essenceOf(body: JsonObject): string {
  return JSON.stringify(Object.entries(body).filter(([name]) => name !== 'idempotency_key'))
}
