import { isMishap } from '#spec/tables'
import { answerTo } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import type { Attempt, ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** So often nobody fails over the same request by accident: in a row, or each time that it was sent. */
const mostAccidents = 2

/**
 * How often in a row the service failed over a request at last, where that may have been by accident (section 7: 5xx). 0 where
 * it did not fail, or failed too often.
 */
export function accidentsIn(trace: TraceIndex, record: ExchangeRecord | undefined): number {
  if (record === undefined) return 0
  const times = record.attempts.length - 1 - record.attempts.findLastIndex((attempt) => !isFailedOver(attempt))
  return times > mostAccidents || failuresOfAll(trace, record) > mostAccidents ? 0 : times
}

function isFailedOver(attempt: Attempt): boolean {
  const answer = answerTo(attempt)
  return answer.kind === 'failure' && isMishap(answer)
}

/** How often the service failed over the same request, wherever the run sent it; 0 where anything else came of it once. */
function failuresOfAll(trace: TraceIndex, record: ExchangeRecord): number {
  const words = wordsOf(trace, record)
  const attempts = words === undefined ? [] : (byWords(trace).get(words) ?? [])
  return attempts.every(isFailedOver) ? attempts.length : 0
}

/** Attempts that were answered, by what was asked: what a lost answer would have been nobody knows. */
const byWords = readOnce((trace: TraceIndex): ReadonlyMap<string, readonly Attempt[]> => {
  const found = new Map<string, Attempt[]>()
  for (const record of trace.exchanges.values()) {
    const words = wordsOf(trace, record) ?? ''
    const answered = record.attempts.filter((attempt) => answerTo(attempt).kind !== 'transport-failure')
    const known = found.get(words)
    if (known === undefined) found.set(words, answered)
    else known.push(...answered)
  }
  return found
})

/** What a request asks for. Names that a run makes up are never the same twice, and say nothing. */
function wordsOf({ header }: TraceIndex, { attempts, key }: ExchangeRecord): string | undefined {
  const request = attempts[0]?.request.entry
  if (request === undefined) return undefined
  const { operation, path, body, text } = request
  const words = JSON.stringify([operation, path, key, body, text])
  return header === undefined ? words : words.replaceAll(new RegExp(`-${header.run}-\\d+`, 'g'), '')
}
