import { readOnce } from '#judge/read-once'
import { isClientEventType } from '#spec/tables'
import type { TraceIndex } from '#judge/trace-index'
import { parsed } from '#trace/json'
import { causeOf } from '../model/additions.ts'
import { ruleOf } from '../model/say.ts'
import { type Connection, type ReceivedEvent, type SentEvent, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  error: [
    'usable-after-missing-type usable-after-unknown-type usable-after-invalid-json usable-after-invalid-update',
    'usable-after-invalid-response usable-after-invalid-add',
  ],
})

type Own = (typeof proves)[number]

/** A connection that ends so soon after an `error` may have been ended by it. */
const soon_ms = 1_000
/** So many ends of connections, each upon an error of one kind, are no accident where none of the kind was survived. */
const telling = 3
/** Closes that announce a restart or a move ask a client to come back, whatever it has sent. */
const moves = new Set([1001, 1012, 1013])

/** An `error`, what it is about, and whether its connection was ended upon it; undefined where that is open. */
interface Mishap {
  readonly row: Own
  readonly sent: SentEvent
  readonly error: ReceivedEvent
  readonly ended: boolean | undefined
}

/**
 * "Most errors are recoverable and do not close the session" (6.2). An answer that still came between the `error` and the end
 * of its connection does not make the channel usable. A connection may end for many reasons: it counts where each one ends so.
 */
export const endedByErrors = ruleOf('ended-by-errors', proves, (trace, say) => {
  const all = mishapsIn(trace)
  const accidents = endsWithoutError(trace, all)
  for (const [row, mishaps] of Map.groupBy(all, (one) => one.row)) {
    const ends = mishaps.filter(({ ended }) => ended === true)
    const [first] = ends
    const isAlways = ends.length >= telling && mishaps.every(({ ended }) => ended !== false)
    if (first === undefined || !isAlways || accidents >= ends.length) continue
    const got = `${ends.length} connections ended within ${soon_ms} ms of such an error, and none went on`
    say.broken(row, 'a connection that goes on after the error', got, first.sent, first.error)
  }
})

const mishapsIn = readOnce((trace: TraceIndex): readonly Mishap[] =>
  sessionsOf(trace).flatMap(({ connections }) => connections.flatMap(mishapsOn)),
)

function mishapsOn(connection: Connection): readonly Mishap[] {
  return connection.sent.flatMap((sent) => {
    const row = rowOf(sent)
    const error = row === undefined ? undefined : errorAbout(sent)
    return row === undefined || error === undefined ? [] : [{ row, sent, error, ended: isEnded(connection, error) }]
  })
}

function rowOf({ type, event, connection, line }: SentEvent): Own | undefined {
  if (type === 'session.update') return 'error.usable-after-invalid-update'
  if (type === 'response.create') return 'error.usable-after-invalid-response'
  if (type === 'asset.add' || type === 'avatar.add') return 'error.usable-after-invalid-add'
  if (type !== undefined && type !== '') {
    return isClientEventType(type) ? undefined : 'error.usable-after-unknown-type'
  }
  if (Object.keys(event).length > 0) return 'type' in event ? undefined : 'error.usable-after-missing-type'
  const text = connection.record.frames.find((frame) => frame.line === line)?.text
  return text !== undefined && parsed(text) === undefined ? 'error.usable-after-invalid-json' : undefined
}

/** The `error` that names it, or, about what bears no id, the next thing that came. */
function errorAbout({ id, connection, line }: SentEvent): ReceivedEvent | undefined {
  if (id !== undefined) return connection.received.find((one) => one.type === 'error' && causeOf(one) === id)
  const next = connection.received.find((one) => one.line > line)
  return next?.type === 'error' && causeOf(next) === undefined ? next : undefined
}

/** What we or the network ended soon leaves it open, and so does the end of the session. */
function isEnded({ record, session, received }: Connection, { t }: ReceivedEvent): boolean | undefined {
  const end = record.closed?.entry
  if (end === undefined || end.t - t > soon_ms) return false
  const isOver = session.closing.t <= end.t || received.some(({ type }) => type === 'session.closed')
  return isOver || end.by !== 'target' || moves.has(end.code) ? undefined : true
}

/** Connections that the target ended without an `error` before it: whoever does so often needs none. */
function endsWithoutError(trace: TraceIndex, mishaps: readonly Mishap[]): number {
  const upon = new Set(mishaps.flatMap(({ ended, sent }) => (ended === true ? [sent.connection] : [])))
  const all = sessionsOf(trace).flatMap(({ connections }) => connections)
  return all.filter((one) => {
    const end = one.record.closed?.entry
    return end?.by === 'target' && one.session.closing.t > end.t && !upon.has(one)
  }).length
}
