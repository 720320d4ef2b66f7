import { answerTo } from '#judge/answers'
import type { Answer } from '#judge/answer'
import { createsAvatarSession } from '#judge/operations'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { errorCodeNames } from '#spec/tables'
import { isObject, type JsonObject } from '#trace/json'

export const afterFault: RequirementId = 'errors.retry.after-5xx-same-key'
export const afterRate: RequirementId = 'errors.retry.after-10008-same-key'

/** A create of an avatar session that was sent with an idempotency key. */
export interface Try {
  readonly answer: Answer
  /** HTTP status; 0 for none. */
  readonly status: number
  /** The key's name and the body without its idempotency key. */
  readonly essence: string
  readonly scenario: string | undefined
  /** Milliseconds of the run. */
  readonly sent: number
  /** Line of the trace on which it was sent. */
  readonly line: number
}

/** The row on retries that an answer calls for. */
export function rowFor({ answer, status }: Try): RequirementId | undefined {
  if (answer.kind === 'failure' && answer.code === 10008) return afterRate
  if (status < 500) return undefined
  // A refusal may travel under any status; only an answer without a listed code is a fault of the service.
  const listed = answer.kind === 'failure' && errorCodeNames(answer.code).length > 0
  return answer.kind === 'success' || listed ? undefined : afterFault
}

/** All tries with one key of one workspace, in the order in which they were sent. */
export function keyedCreates(trace: TraceIndex): readonly (readonly Try[])[] {
  const found = new Map<string, Try[]>()
  for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
    if (!createsAvatarSession(operation)) continue
    for (const attempt of attempts) {
      const { body, t: sent } = attempt.request.entry
      const again = isObject(body) ? body['idempotency_key'] : undefined
      if (!isObject(body) || typeof again !== 'string' || again === '') continue
      const name = `${operation} ${key} ${again}`
      const one: Try = {
        answer: answerTo(attempt),
        status: attempt.response?.entry.status ?? 0,
        // Nobody asks where nothing went wrong.
        get essence() {
          return `${operation} ${key} ${essenceOf(body)}`
        },
        scenario,
        sent,
        line: attempt.request.line,
      }
      const tries = found.get(name)
      if (tries === undefined) found.set(name, [one])
      else tries.push(one)
    }
  }
  return [...found.values()].map((tries) => tries.toSorted((a, b) => a.line - b.line))
}

function essenceOf(body: JsonObject): string {
  return JSON.stringify(Object.entries(body).filter(([name]) => name !== 'idempotency_key'))
}
