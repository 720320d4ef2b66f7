import { answerOf } from '#judge/answers'
import { createsAvatarSession } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json } from '#trace/json'

const part = 'authentication.control-secret'

/** What a create showed of the session's control secret. A trace holds stand-ins, alike for alike secrets. */
interface Shown {
  readonly session: string
  readonly secret: string
  /** The idempotency key, where the create had one. */
  readonly again: string | undefined
  readonly line: number
  readonly scenario: string | undefined
}

/** The control secret is of one session, cannot be refreshed, and is no API key (5.3). */
export const controlSecrets: Rule = {
  id: 'authentication.control-secrets',
  proves: [`${part}.unique-per-session`, `${part}.other-than-api-key`, `${part}.replay-keeps-secret`],
  judge(trace, report) {
    const shown = shownSecrets(trace)
    judgeUnique(shown, report)
    for (const one of shown) {
      const good = !one.secret.startsWith('[api_key ')
      const expected = 'another value than the API key'
      say(report, `${part}.other-than-api-key`, { good, expected, got: one.secret }, [one])
    }
    judgeReplays(shown, report)
  },
}

function judgeUnique(shown: readonly Shown[], report: Report): void {
  const owners = new Map<string, Shown>()
  const sessions = new Set<string>()
  for (const one of shown) {
    const owner = owners.get(one.secret) ?? one
    owners.set(one.secret, owner)
    if (sessions.has(one.session)) continue
    sessions.add(one.session)
    if (sessions.size < 2) continue
    const got = `that of session ${owner.session}`
    const finding = { good: owner === one, expected: 'a secret of its own', got }
    say(report, `${part}.unique-per-session`, finding, owner === one ? [one] : [owner, one])
  }
}

function judgeReplays(shown: readonly Shown[], report: Report): void {
  const firsts = new Map<string, Shown>()
  for (const one of shown) {
    if (one.again === undefined) continue
    const name = JSON.stringify([one.again, one.session])
    const first = firsts.get(name)
    if (first === undefined) {
      firsts.set(name, one)
      continue
    }
    const good = first.secret === one.secret
    say(report, `${part}.replay-keeps-secret`, { good, expected: 'the secret of the first answer', got: 'another' }, [
      first,
      one,
    ])
  }
}

function shownSecrets(trace: TraceIndex): readonly Shown[] {
  return [...trace.exchanges.values()].flatMap((record): readonly Shown[] => {
    const answer = answerOf(record)
    if (!createsAvatarSession(record.operation) || answer.kind !== 'success') return []
    const session = at(answer.data, '/session_id')
    const secret = at(answer.data, '/control/client_secret')
    if (typeof session !== 'string' || session === '' || typeof secret !== 'string' || secret === '') return []
    const repeated = again(record.attempts[0]?.request.entry.body)
    return [{ session, secret, again: repeated, line: answer.line, scenario: record.scenario }]
  })
}

function again(body: Json | undefined): string | undefined {
  const key = isObject(body) ? at(body, '/idempotency_key') : undefined
  return typeof key === 'string' && key !== '' ? key : undefined
}

interface Finding {
  readonly good: boolean
  readonly expected: string
  readonly got: string
}

function say(report: Report, row: string, { good, expected, got }: Finding, evidence: readonly Shown[]): void {
  const lines = evidence.map(({ line }) => line)
  if (good) report.held(row, ...lines)
  else report.broken(row, { expected, got, lines, scenario: evidence.at(-1)?.scenario })
}
