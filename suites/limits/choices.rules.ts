import { answerOf, createdSession } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import type { ExchangeRecord } from '#judge/trace-index'
import { at } from '#trace/json'

/** What section 8 leaves open about the cap on open sessions, as this target does it. Reported, never judged. */
export const choices: Rule = {
  id: 'limits.choices',
  proves: [],
  judge(trace, report) {
    const floor = { open: 0, closing: false, met: false }
    const records = [...trace.exchanges.values()].filter(({ key }) => key === 'capped')
    for (const record of records) see(record, floor, report)
  },
}

interface Floor {
  /** Sessions of this run that were made and not closed. */
  open: number
  /** The last thing that happened is that a close was answered with `closing`. */
  closing: boolean
  /** The cap was found. */
  met: boolean
}

function see(record: ExchangeRecord, floor: Floor, report: Report): void {
  const answer = answerOf(record)
  const full = answer.kind === 'failure' && answer.code === 30006
  const made = createdSession(record) !== undefined
  if (floor.closing && floor.met && (full || made)) {
    report.saw('limits.concurrency.closing-holds-slot', full ? 'yes' : 'no', answer.line)
  }
  if (full && !floor.met) report.saw('limits.concurrency.cap-value', String(floor.open), answer.line)
  floor.met ||= full
  if (made) floor.open += 1
  const closed = record.operation === 'close-avatar-session' && answer.kind === 'success'
  if (closed) floor.open -= 1
  floor.closing = closed && at(answer.data, '/status') === 'closing'
}
