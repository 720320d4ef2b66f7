import { workspaceOf } from '#spec/profile'
import { at, isObject, textAt } from '#trace/json'
import { answerOf, createdSession } from '../answers.ts'
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

/** Whether Get shows an end of this world session that its own workspace had not asked for. */
export function worldEndedUnasked(trace: TraceIndex, record: ExchangeRecord): boolean {
  const asked = bySession(trace).get(sessionOf(record)) ?? []
  const before = asked.slice(0, asked.indexOf(record))
  return showsEnd(record) && !before.some((one) => isClose(one) && answerOf(one).kind === 'success')
}

/**
 * Whether the service ended another world session for which nobody had asked, and that no other workspace had named: then
 * nobody else need have ended this one, either.
 */
export function othersEndedAlone(trace: TraceIndex, record: ExchangeRecord): boolean {
  return [...endedAlone(trace)].some((other) => other !== sessionOf(record))
}

const sessionOf = ({ attempts }: ExchangeRecord): string | undefined => sessionIn(attempts[0]?.request.entry.path ?? '')

/** World sessions that ended though no time for them was named, nobody asked for it, and their own workspace alone used them. */
const endedAlone = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const owners = new Map<string, string>()
  for (const record of trace.exchanges.values()) {
    const session = record.operation === 'create-world-session' ? createdSession(record) : undefined
    if (session !== undefined && !isTimed(record)) owners.set(session, workspaceOf(record.key))
  }
  const alone = [...bySession(trace)].flatMap(([session, asked]) => {
    const owner = owners.get(session ?? '')
    const first = asked.findIndex(showsEnd)
    const until = asked.slice(0, first + 1)
    const isAlone = first >= 0 && until.every((one) => !isClose(one) && workspaceOf(one.key) === owner)
    return session !== undefined && isAlone ? [session] : []
  })
  return new Set(alone)
})

function isTimed({ attempts }: ExchangeRecord): boolean {
  const body = attempts[0]?.request.entry.body
  return isObject(body) && at(body, '/max_session_duration_seconds') !== undefined
}

const isClose = ({ operation }: ExchangeRecord): boolean => operation === 'close-world-session'

function showsEnd(record: ExchangeRecord): boolean {
  const answer = record.operation === 'get-world-session' ? answerOf(record) : undefined
  return answer?.kind === 'success' && ending.includes(textAt(answer.data, '/status') ?? '')
}
