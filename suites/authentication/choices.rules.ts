import { answerOf } from '#judge/answers'
import type { Answer } from '#judge/answer'
import type { Report, Rule } from '#judge/rule'
import type { ExchangeRecord } from '#judge/trace-index'

/** What the interface leaves open about keys, as this target does it. Reported, never judged. */
export const choices: Rule = {
  id: 'authentication.choices',
  proves: [],
  judge(trace, report) {
    for (const record of trace.exchanges.values()) {
      const answer = answerOf(record)
      if (answer.kind !== 'success' && answer.kind !== 'failure') continue
      if (record.key === 'none') seeMissing(record, answer, report)
      else if (record.key === 'malformed') seeMalformed(record, answer, report)
      else seeReads(record, answer, report)
    }
  },
}

type Told = Extract<Answer, { kind: 'success' | 'failure' }>

function seeMissing(record: ExchangeRecord, answer: Told, report: Report): void {
  if (codeOf(answer) !== 10001 || record.operation === null) return
  report.saw('authentication.missing-key.http-status', String(answer.status), answer.line)
}

/** Credentials stand in a trace by stand-ins: `Bearer [api_key primary]`. */
function seeMalformed(record: ExchangeRecord, answer: Told, report: Report): void {
  const sent = record.attempts.at(-1)?.request.entry.headers['authorization'] ?? ''
  const code = codeOf(answer)
  if (/^bearer \[api_key \w+\]$/.test(sent)) {
    report.saw('authentication.api-key.lowercase-scheme', code === 0 ? 'admitted' : `refused: ${code}`, answer.line)
  }
  if (/^\[api_key \w+\]$/.test(sent)) report.saw('authentication.api-key.bare-key-code', String(code), answer.line)
  if (code === 10003) report.saw('authentication.invalid-key.http-status', String(answer.status), answer.line)
}

const reads = new Set(['get-avatar-session', 'list-avatar-sessions'])

function seeReads({ operation, key }: ExchangeRecord, answer: Told, report: Report): void {
  if (operation === null || !reads.has(operation)) return
  const what = `${operation}: ${codeOf(answer) === 0 ? 'admitted' : codeOf(answer)}`
  if (key === 'access_denied') report.saw('authentication.access.denied-key-reads', what, answer.line)
  if (key === 'billing_inactive' || key === 'insufficient_balance') {
    report.saw('authentication.billing.reads', `${key}, ${what}`, answer.line)
  }
}

function codeOf(answer: Told): number {
  return answer.kind === 'success' ? 0 : answer.code
}
