import { answerTo } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { Placed } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import type { ResponseEntry } from '#trace/entry'

/** The three codes whose HTTP status section 7 states, and what it says of `Retry-After`. */
const scarce = new Map<number, { readonly status: RequirementId; readonly pause: readonly RequirementId[] }>([
  [
    10008,
    {
      status: 'errors.code-10008.status-429',
      pause: ['errors.code-10008.retry-after-present', 'limits.api-key-rate.retry-after'],
    },
  ],
  [30006, { status: 'errors.code-30006.status-429', pause: ['errors.code-30006.no-retry-after'] }],
  [30008, { status: 'errors.code-30008.status-429', pause: ['errors.code-30008.no-retry-after'] }],
])

const readable: RequirementId = 'errors.code-10008.retry-after-readable'

/** "HTTP 429; includes `Retry-After`" (10008), "HTTP 429, no `Retry-After`" (30006, 30008), whenever such an answer comes. */
export const scarcity: Rule = {
  id: 'errors.scarcity',
  proves: [...[...scarce.values()].flatMap(({ status, pause }) => [status, ...pause]), readable],
  judge(trace, report) {
    for (const { operation, attempts } of trace.exchanges.values()) {
      if (operation === null) continue
      for (const attempt of attempts) {
        const answer = answerTo(attempt)
        const rows = answer.kind === 'failure' ? scarce.get(answer.code) : undefined
        if (answer.kind !== 'failure' || rows === undefined || attempt.response === undefined) continue
        const seen: Seen = { sent: attempt.request.line, response: attempt.response, report }
        say(seen, rows.status, { good: answer.status === 429, expected: 'HTTP 429', got: `HTTP ${answer.status}` })
        judgePause(seen, answer.code, rows.pause)
      }
    }
  },
}

interface Seen {
  readonly sent: number
  readonly response: Placed<ResponseEntry>
  readonly report: Report
}

function judgePause(seen: Seen, code: number, rows: readonly RequirementId[]): void {
  const { headers } = seen.response.entry
  const pause = Object.hasOwn(headers, 'retry-after') ? headers['retry-after'] : undefined
  const got = pause === undefined ? 'none' : show(pause)
  const wanted = code === 10008
  for (const row of rows) {
    const expected = wanted ? 'a `Retry-After` header' : 'no `Retry-After` header'
    say(seen, row, { good: (pause !== undefined) === wanted, expected, got })
  }
  if (!wanted || pause === undefined) return
  const form = formOf(pause)
  say(seen, readable, { good: form !== undefined, expected: 'whole seconds or an HTTP date', got })
  if (form !== undefined) seen.report.saw('errors.code-10008.retry-after-form', form, seen.response.line)
}

/** The two forms of RFC 9110; all three spellings of a date are to be understood. */
function formOf(pause: string): 'seconds' | 'date' | undefined {
  const text = pause.trim()
  if (/^\d{1,9}$/.test(text)) return 'seconds'
  return /^[A-Z][a-z]{2,8},? .+\d/.test(text) && !Number.isNaN(Date.parse(text)) ? 'date' : undefined
}

interface Finding {
  readonly good: boolean
  readonly expected: string
  readonly got: string
}

function say({ sent, response, report }: Seen, row: RequirementId, { good, expected, got }: Finding): void {
  if (good) report.held(row, response.line)
  else report.broken(row, { expected, got, lines: [sent, response.line], scenario: response.entry.scenario })
}
