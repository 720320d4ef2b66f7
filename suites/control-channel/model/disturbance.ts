import { readOnce } from '#judge/read-once'
import { requestOf } from './script.ts'
import type { Response } from './response.ts'
import { placeAfter } from '#trace/first-place'
import { between, type ChannelEvent, type ReceivedEvent, type SentEvent, type Session } from './sessions.ts'

/** Events of other connections may be handled in another order than they were sent in, in milliseconds. */
const raceMs = 2_000

/** What we sent that may cut a response short, between its request and its end. */
export const cutsOf = readOnce((response: Response): readonly SentEvent[] => {
  const { sent } = response.connection.session
  const from = startOf(response)
  const end = response.done[0]?.line ?? Number.POSITIVE_INFINITY
  const { request } = response.origin
  const found: SentEvent[] = []
  for (let place = placeAfter(sent, end) - 1; place >= 0; place -= 1) {
    const one = sent[place]
    if (one === undefined || (one.line < from.line && one.t < from.t - raceMs)) break
    const counts = one.line > from.line || one.connection !== from.connection
    if (counts && one !== request?.sent && mayCut(one)) found.unshift(one)
  }
  return found
})

/**
 * When another one started, nothing had taken the place of this response that may have cut it short: a cancel leaves the
 * session busy until the end is told.
 */
export function keepsBusy(response: Response, { line }: ReceivedEvent): boolean {
  return cutsOf(response).every(
    (sent) => sent.type === 'response.cancel' || (sent.line > line && sent.connection === response.connection),
  )
}

/** A cancel, and a request that interrupts. */
function mayCut(sent: SentEvent): boolean {
  if (sent.type === 'response.cancel') return true
  if (sent.type !== 'response.create') return false
  const { policy } = requestOf(sent)
  return policy === 'interrupt' || policy === 'unknown'
}

/** "What deleting an item that is still streaming does" is not said: whether we asked for it before its response was done. */
export function wasDeletedMeanwhile({ connection, done: [done] }: Response, item: string): boolean {
  return connection.session.sent.some(
    ({ type, event, line }) =>
      type === 'conversation.item.delete' &&
      event['item_id'] === item &&
      line < (done?.line ?? Number.POSITIVE_INFINITY),
  )
}

/** A session that we close so soon after a response ended may have cut it short, in milliseconds. */
const afterwardsMs = 2_000
/** One that the service ends may be told of later: it ends what runs first (6.2), and may have little time for it. */
const toldLateMs = 10_000

/** Whether nothing happened that may have cut the response short or changed it. */
export function isUndisturbed(response: Response): boolean {
  const { session } = response.connection
  const [done] = response.done
  if (done === undefined || cutsOf(response).length > 0) return false
  const { line } = startOf(response)
  const sent = between(session.sent, line, done.line)
  const received = between(session.received, line, done.line)
  const changed = sent.some(({ type }) => type === 'session.update' || type === 'conversation.item.delete')
  const spoken = received.some(({ type }) => type?.startsWith('input_audio.') === true)
  const ends = session.connections.flatMap(({ record }) => record.closed?.line ?? [])
  return !changed && !spoken && !isEndOfSession(done) && !ends.some((end) => end > line && end < done.line)
}

/** Whether a response ended because its session did: what a service ends, it ends first and tells then. */
export function isEndOfSession(done: ReceivedEvent): boolean {
  const { session } = done.connection
  return toldEnds(session).some(({ t, line }) => {
    const isTheirs = session.closing.line === line
    return t >= done.t && t - done.t < (isTheirs ? toldLateMs : afterwardsMs)
  })
}

const toldEnds = readOnce(({ received }: Session) => received.filter(({ type }) => type === 'session.closed'))

/** The same, where `session.closed` may have been missed: then the end of a connection tells of it. */
export function mayBeEndOfSession(done: ReceivedEvent): boolean {
  const ends = done.connection.session.connections.flatMap(({ record }) => record.closed?.entry ?? [])
  const soon = ends.some(({ by, t }) => by !== 'us' && t >= done.t && t - done.t < afterwardsMs)
  return soon || isEndOfSession(done)
}

function startOf({ origin, events, connection }: Response): ChannelEvent {
  const { request, candidates } = origin
  const first = request?.sent ?? candidates[0]?.sent ?? events[0]
  if (first === undefined) throw new Error(`a response without events on channel ${connection.channel}`)
  return first
}
