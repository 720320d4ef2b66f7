import { textAt } from '#trace/json'
import { answerOf } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import { sessionIn } from '../session-in.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** What serves open sessions only, and by which status the next Get tells that it was none. */
const ends: ReadonlyMap<string | null, readonly string[]> = new Map([
  ['create-client-secret', ['failed', 'closed']],
  // A close that is refused and carried out all the same is none that failed.
  ['close-world-session', ['failed']],
])

const bySession = readOnce((trace: TraceIndex) =>
  Map.groupBy(
    [...trace.exchanges.values()].filter(({ operation }) => /(?:world-session|client-secret)$/u.test(operation ?? '')),
    (record) => sessionIn(record.attempts[0]?.request.entry.path ?? ''),
  ),
)

/**
 * The line of a Get, the next thing that was asked about a world session, which shows that it had ended by itself when this
 * request was refused: "transitions into `failed` from later states: not shown" (3.2).
 */
export function worldEndedMeanwhile(trace: TraceIndex, record: ExchangeRecord | undefined): number | undefined {
  const over = ends.get(record?.operation ?? null)
  const session = sessionIn(record?.attempts[0]?.request.entry.path ?? '')
  if (record === undefined || over === undefined || session === undefined) return undefined
  const asked = bySession(trace).get(session) ?? []
  const place = asked.indexOf(record)
  const isClosed = (one: ExchangeRecord): boolean => one.operation === 'close-world-session'
  if (asked.slice(0, place).some((one) => isClosed(one) && answerOf(one).kind === 'success')) return undefined
  const next = asked
    .slice(place + 1)
    .find(({ operation }) => operation === 'get-world-session' || operation?.startsWith('close-'))
  const answer = answerOf(next)
  if (next?.operation !== 'get-world-session' || answer.kind !== 'success') return undefined
  return over.includes(textAt(answer.data, '/status') ?? '') ? answer.line : undefined
}
