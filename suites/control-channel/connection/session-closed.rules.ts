import { answerOf } from '#judge/answers'
import { admission } from '#judge/conditions/admission'
import { isFoundDead } from '#judge/conditions/dead-connection'
import { sessionIn } from '#judge/sessions/session-in'
import { show } from '#judge/show'
import { lagOf } from '#judge/timing/lag'
import type { TraceIndex } from '#judge/trace-index'
import { at } from '#trace/json'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, type Connection, type Session, sessionsOf, textAt, patienceOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'session-closed': 'session-id once session-really-ends connections-disconnected',
})

type Own = (typeof proves)[number]

/** What `session.closed` says and means (6.2); it may be missed. */
export const sessionClosed = ruleOf('session-closed', proves, (trace, say) => {
  const patience = patienceOf(trace)
  const bySession = Map.groupBy(getsOf(trace), ({ session }) => session)
  for (const session of sessionsOf(trace)) {
    const gets = bySession.get(session.id) ?? []
    const told = session.received.filter(({ type }) => type === 'session.closed')
    for (const connection of session.connections)
      judgeConnection(connection, gets, { patience, last: trace.watched.t }, say)
    for (const received of told) {
      const id = received.event['session_id']
      if (typeof id === 'string')
        say.judge(
          'session-closed.session-id',
          id === session.id,
          () => show(session.id),
          () => show(id),
          received,
        )
    }
    const [first] = told
    if (first !== undefined) judgeEnd(trace, session, first, gets, say)
  }
})

/** What Get said of a session, and when it was asked. */
interface Got {
  readonly line: number
  readonly asked: number
  readonly t: number
  readonly status: string
  readonly session: string
}

const statuses = new Set(['active', 'closing', 'closed', 'failed'])

/** Payloads of Get are not shown: `data.status` counts where it is one of the four. */
function getsOf(trace: TraceIndex): readonly Got[] {
  return [...trace.exchanges.values()].flatMap((record) => {
    const attempt = record.attempts.at(-1)
    const answer = record.operation === 'get-avatar-session' ? answerOf(record) : undefined
    if (attempt?.response === undefined || answer?.kind !== 'success') return []
    const status = at(answer.data, '/status')
    const session = sessionIn(attempt.request.entry.path)
    if (typeof status !== 'string' || !statuses.has(status) || session === undefined) return []
    const { line, entry } = attempt.response
    return [{ line, t: entry.t, asked: attempt.request.entry.t, status, session }]
  })
}

interface Bounds {
  readonly patience: number
  /** Up to here connections were watched. */
  readonly last: number
}

function judgeConnection(connection: Connection, gets: readonly Got[], bounds: Bounds, say: Say<Own>): void {
  const { received, record, session } = connection
  const [once, again] = received.filter(({ type }) => type === 'session.closed')
  if (once !== undefined) {
    say.judge(
      'session-closed.once',
      again === undefined,
      'one session.closed',
      'another one',
      once,
      ...(again === undefined ? [] : [again]),
    )
    say.saw('session-closed.reason-values', show(textAt(once.event, 'reason')).slice(0, 80), once)
    const late = received.find(({ line }) => line > once.line)
    if (late !== undefined) say.saw('session-closed.events-after', late.type ?? 'no type', once, late)
  }
  const { closed } = record
  const isHeard = closed !== undefined && !isFoundDead(record)
  const endedByTarget = isHeard && (closed.entry.by === 'target' || closed.entry.by === 'network')
  const gone = gets.find((got) => got.status === 'closed' && got.line > connection.opened.line)
  if (endedByTarget && session.closing.line < closed.line) {
    say.held('session-closed.connections-disconnected', closed)
    say.saw('session-closed.close-code', String(closed.entry.code), closed)
    say.saw('session-closed.seen', once === undefined ? 'missed' : 'before the end', closed)
  } else if (gone !== undefined && (closed?.entry.t ?? bounds.last) - gone.t > bounds.patience) {
    say.broken('session-closed.connections-disconnected', 'the end of the connection', 'none', {
      line: gone.line,
      scenario: record.scenario,
    })
  }
}

function judgeEnd(trace: TraceIndex, session: Session, told: ReceivedEvent, gets: readonly Got[], say: Say<Own>): void {
  const row = 'session-closed.session-really-ends'
  // A Get may come from a replica that is behind.
  const patience = Math.max(patienceOf(trace), lagOf(trace))
  for (const got of gets) {
    if (got.line < told.line) continue
    if (got.status !== 'active') say.held(row, told, got)
    else if (got.asked - told.t > patience) say.broken(row, 'no longer active', 'active', told, got)
  }
  for (const channel of trace.channels.values()) {
    if (channel.session !== session.id || channel.open.line < told.line) continue
    if (admission(trace, channel) === 'refused') say.held(row, told, channel.open)
  }
}
