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
  const { before, after } = around(trace, record)
  if (before.some(isClosing)) return undefined
  const next = after.find(({ operation }) => operation === 'get-world-session' || operation?.startsWith('close-'))
  const answer = answerOf(next)
  if (next?.operation !== 'get-world-session' || answer.kind !== 'success') return undefined
  return over.includes(textAt(answer.data, '/status') ?? '') ? answer.line : undefined
}

/**
 * Whether Get shows an end of this world session for which its own workspace had not asked, after another one had named it:
 * that one brought it about only if it is so each time.
 */
export function worldEndedBesideOthers(trace: TraceIndex, record: ExchangeRecord): boolean {
  const { before } = around(trace, record)
  const isOther = ({ key }: ExchangeRecord): boolean => workspaceOf(key) !== workspaceOf(record.key)
  return showsEnd(record) && before.some(isOther) && !before.some(isClosing)
}

/** What was asked about the same world session before this, and after it. */
function around(trace: TraceIndex, record: ExchangeRecord) {
  const asked = bySession(trace).get(sessionOf(record)) ?? []
  const place = asked.indexOf(record)
  return { before: asked.slice(0, place), after: asked.slice(place + 1) }
}

const sessionOf = ({ attempts }: ExchangeRecord): string | undefined => sessionIn(attempts[0]?.request.entry.path ?? '')

/** A close that was taken. */
const isClosing = (record: ExchangeRecord): boolean =>
  record.operation === 'close-world-session' && answerOf(record).kind === 'success'

function showsEnd(record: ExchangeRecord): boolean {
  const answer = record.operation === 'get-world-session' ? answerOf(record) : undefined
  return answer?.kind === 'success' && ending.includes(textAt(answer.data, '/status') ?? '')
}
