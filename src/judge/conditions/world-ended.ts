import { workspaceOf } from '#spec/profile'
import { textAt } from '#trace/json'
import { answerOf } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import { ending } from '../session-end.ts'
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
    (record) => sessionOf(record),
  ),
)

/**
 * The line of a Get, the next thing that was asked about a world session, which shows that it had ended by itself when this
 * request was refused: "transitions into `failed` from later states: not shown" (3.2).
 */
export function worldEndedMeanwhile(trace: TraceIndex, record: ExchangeRecord | undefined): number | undefined {
  const over = ends.get(record?.operation ?? null)
  const session = record === undefined ? undefined : sessionOf(record)
  if (record === undefined || over === undefined || session === undefined) return undefined
  const asked = bySession(trace).get(session) ?? []
  const place = asked.indexOf(record)
  if (asked.slice(0, place).some((one) => isClose(one) && answerOf(one).kind === 'success')) return undefined
  const next = asked
    .slice(place + 1)
    .find(({ operation }) => operation === 'get-world-session' || operation?.startsWith('close-'))
  const answer = answerOf(next)
  if (next?.operation !== 'get-world-session' || answer.kind !== 'success') return undefined
  return over.includes(textAt(answer.data, '/status') ?? '') ? answer.line : undefined
}

/**
 * Whether Get shows an end of this world session for which its own workspace had not asked, after another one had named it:
 * that one brought it about only if it is so each time.
 */
export function worldEndedBesideOthers(trace: TraceIndex, record: ExchangeRecord): boolean {
  const asked = bySession(trace).get(sessionOf(record)) ?? []
  const before = asked.slice(0, asked.indexOf(record))
  const isOther = ({ key }: ExchangeRecord): boolean => workspaceOf(key) !== workspaceOf(record.key)
  return (
    showsEnd(record) && before.some(isOther) && !before.some((one) => isClose(one) && answerOf(one).kind === 'success')
  )
}

const sessionOf = ({ attempts }: ExchangeRecord): string | undefined => sessionIn(attempts[0]?.request.entry.path ?? '')

const isClose = ({ operation }: ExchangeRecord): boolean => operation === 'close-world-session'

function showsEnd(record: ExchangeRecord): boolean {
  const answer = record.operation === 'get-world-session' ? answerOf(record) : undefined
  return answer?.kind === 'success' && ending.includes(textAt(answer.data, '/status') ?? '')
}
