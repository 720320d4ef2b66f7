import { createdSession } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import type { ExchangeRecord, Placed } from '#judge/trace-index'
import type { ResponseEntry } from '#trace/entry'
import { at, isObject } from '#trace/json'

/** Fields of 2.1. */
const avatarFields = new Set(
  'session_id status auto_close region session control output assets conversation avatars delivery model expires_at'.split(
    ' ',
  ),
)

/** Fields of 2.11. */
const worldFields = new Set(
  [
    'session_id status model control media output live_input continuation references runtime last_sequence usage',
    'capabilities metadata created_at expires_at',
  ].flatMap((line) => line.split(' ')),
)

const deprecation = ['deprecation', 'sunset', 'warning']

/** What section 9 does not show, as this target does it. Reported, never judged. */
export const versionChoices: Rule = {
  id: 'versioning.choices',
  proves: [],
  judge(trace, report) {
    for (const record of trace.exchanges.values()) {
      if (record.operation === null) continue
      for (const { response } of record.attempts) if (response !== undefined) seeHeaders(response, report)
      seeFields(record, report)
    }
  },
}

function seeHeaders({ entry, line }: Placed<ResponseEntry>, report: Report): void {
  const names = Object.keys(entry.headers)
  const announced = names.filter((name) => deprecation.includes(name))
  report.saw('versioning.deprecation.headers', announced.join(', ') || 'none', line)
  // `sec-websocket-version` and the like speak of another protocol.
  const versions = names.filter((name) => /(^|-)version$/.test(name) && !name.startsWith('sec-'))
  report.saw('versioning.negotiation.headers', versions.join(', ') || 'none', line)
}

function seeFields(record: ExchangeRecord, report: Report): void {
  if (createdSession(record) === undefined) return
  const response = record.attempts.at(-1)?.response
  const data = at(response?.entry.body, '/data')
  if (response === undefined || !isObject(data)) return
  const known = record.operation === 'create-world-session' ? worldFields : avatarFields
  const unknown = Object.keys(data).filter((name) => !known.has(name))
  const names = unknown.map((name) => name.slice(0, 60)).toSorted()
  report.saw('versioning.evolution.new-fields', names.join(', ') || 'none', response.line)
}
