import type { Moment } from '#judge/conditions/points'
import { causeOf } from '../../model/additions.ts'
import { responsesOf } from '../../model/responses.ts'
import type { SentEvent, Session } from '../../model/sessions.ts'

/** Lines of the answers to requests: of the first to each, and of the last that names none, and may be to any. */
export interface Answers {
  readonly first: ReadonlyMap<SentEvent, number>
  /** Of what settled a request: its `error`, or the end of its response. */
  readonly over: ReadonlyMap<SentEvent, number>
  readonly nameless: number
}

/** All answers of a session, however late. */
export function answersIn(session: Session): Answers {
  const first = new Map<SentEvent, number>()
  const over = new Map<SentEvent, number>()
  let nameless = 0
  const note = (sent: SentEvent | undefined, line: number): void => {
    if (sent === undefined) nameless = Math.max(nameless, line)
    else first.set(sent, Math.min(first.get(sent) ?? line, line))
  }
  for (const { created, done, origin } of responsesOf(session)) {
    for (const { line } of created) note(origin.request?.sent, line)
    const [end] = done
    if (end !== undefined && origin.request !== undefined) over.set(origin.request.sent, end.line)
  }
  for (const received of session.received) {
    if (received.type !== 'error') continue
    const [sent] = session.byId.get(causeOf(received) ?? '') ?? []
    note(sent, received.line)
    if (sent !== undefined && !over.has(sent)) over.set(sent, received.line)
  }
  return { first, over, nameless }
}

/** Ends of connections that asked: with the last, or where one of their requests is not settled, nothing more is told. */
export function endsOf(session: Session, { over }: Answers): readonly Moment[] {
  const asking = session.connections.filter(({ sent }) => sent.some(isOfResponses))
  const unsettled = asking.filter(({ sent, until }) =>
    sent.some((one) => one.type === 'response.create' && (over.get(one) ?? Number.POSITIVE_INFINITY) > until.line),
  )
  const last = asking.toSorted((one, other) => other.until.line - one.until.line).slice(0, 1)
  return [...unsettled, ...last].map(({ until }) => until)
}

export const isOfResponses = ({ type }: SentEvent): boolean => type === 'response.create' || type === 'response.cancel'

export const isAsked = (sent: SentEvent): boolean => isOfResponses(sent) || sent.type === 'session.update'
