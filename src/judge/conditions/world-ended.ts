import { workspaceOf } from '#spec/profile'
import { textAt } from '#trace/json'
import { answerOf, createdSession } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import { ending } from '../sessions/session-end.ts'
import { sessionOf } from '../sessions/session-in.ts'
import { isSettled } from '../timing/lag.ts'
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
  const looks = after.filter(({ operation }) => operation === 'get-world-session' || operation?.startsWith('close-'))
  const next = looks.find((one) => !mayBeBehind(trace, one, record))
  const answer = answerOf(next)
  if (next?.operation !== 'get-world-session' || answer.kind !== 'success') return undefined
  return over.includes(textAt(answer.data, '/status') ?? '') ? answer.line : undefined
}

const served: readonly (string | null)[] = ['get-world-session', 'create-client-secret', 'close-world-session']

/**
 * Whether a world session was not found (20005: "missing, closed or expired", section 7) for whose end nobody had asked, and
 * nothing about it succeeded any more: it may have ended by itself, and be found no more since.
 */
export function worldGoneMeanwhile(trace: TraceIndex, record: ExchangeRecord | undefined): boolean {
  if (record === undefined || !served.includes(record.operation) || sessionOf(record) === undefined) return false
  const answer = answerOf(record)
  if (answer.kind !== 'failure' || answer.code !== 20005) return false
  const { before, after } = around(trace, record)
  const isOwn = ({ key }: ExchangeRecord): boolean => workspaceOf(key) === workspaceOf(record.key)
  const own = after.filter(isOwn)
  const late = own.filter((one) => !mayBeBehind(trace, one, record))
  // A look that may be behind counts until there is another one.
  const told = late.length === 0 ? own : late
  return !before.some(isClosing) && !told.some((one) => answerOf(one).kind === 'success')
}

/** Whether a Get shows a session to be open so soon after a refusal that it may come from a copy that is behind. */
function mayBeBehind(trace: TraceIndex, look: ExchangeRecord, refused: ExchangeRecord): boolean {
  if (look.operation !== 'get-world-session' || answerOf(look).kind !== 'success' || showsEnd(look)) return false
  const [answered, asked] = [refused.attempts.at(-1)?.response, look.attempts[0]?.request]
  return answered !== undefined && asked !== undefined && !isSettled(trace, answered.entry.t, asked.entry.t)
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

/** All answers to creates that name a world session, by its id. */
const createsOf = readOnce((trace: TraceIndex) =>
  Map.groupBy(
    [...trace.exchanges.values()].filter(({ operation }) => operation === 'create-world-session'),
    createdSession,
  ),
)

/**
 * Whether a world session was shown to be over, by Get or by a create that named it, before anybody had asked for its end. When
 * that came is not known.
 */
export function worldEndedByItself(trace: TraceIndex, session: string): boolean {
  const asked = bySession(trace).get(session) ?? []
  const creates = createsOf(trace).get(session) ?? []
  const owner = creates[0]?.key
  const closes = asked.filter(({ operation }) => operation === 'close-world-session')
  const closed = Math.min(...closes.map(firstLine))
  const isGone = (one: ExchangeRecord): boolean => {
    const answer = one.operation === 'get-world-session' ? answerOf(one) : undefined
    return answer?.kind === 'failure' && answer.code === 20005 && workspaceOf(one.key) === workspaceOf(owner ?? one.key)
  }
  return [...creates, ...asked].some((one) => (showsEnd(one) || isGone(one)) && firstLine(one) < closed)
}

const firstLine = ({ attempts }: ExchangeRecord): number => attempts[0]?.request.line ?? Number.POSITIVE_INFINITY

/** What was asked about the same world session before this, and after it. */
function around(trace: TraceIndex, record: ExchangeRecord) {
  const asked = bySession(trace).get(sessionOf(record)) ?? []
  const place = asked.indexOf(record)
  return { before: asked.slice(0, place), after: asked.slice(place + 1) }
}

/** A close that was taken. */
const isClosing = (record: ExchangeRecord): boolean =>
  record.operation === 'close-world-session' && answerOf(record).kind === 'success'

/** Whether its answer, that of Get or of a create, shows the session at its end. */
function showsEnd(record: ExchangeRecord): boolean {
  const tells = record.operation === 'get-world-session' || record.operation === 'create-world-session'
  const answer = tells ? answerOf(record) : undefined
  return answer?.kind === 'success' && ending.includes(textAt(answer.data, '/status') ?? '')
}
