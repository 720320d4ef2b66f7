import { show } from '#judge/show'
import { assetsOf } from '../model/assets.ts'
import { itemsOf, mayBeForAnother } from '../model/items.ts'
import { responsesOf, spokenText } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Request, requestOf } from '../model/script.ts'
import { isDecided, objectAt, type ReceivedEvent, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { hasWaited } from '../model/waited.ts'
import { isAsker, isKnown } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({ snapshot: 'mode asset-contents response-fields later-asset-not-seen' })

type Own = (typeof proves)[number]

/** A response that was asked for to wait, and started. */
interface Pending {
  readonly response: Response
  readonly request: Request
  readonly created: ReceivedEvent
  /** From here on it is known to have been read: what was sent then came later. */
  readonly read: number
}

/**
 * "A pending `after_current_response` snapshots effective inputs at submit time" (4.4): what was sent when it was known to
 * have been read shows nowhere in it.
 */
export const snapshots = ruleOf('snapshots', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    if (session.create === undefined) continue
    for (const response of responsesOf(session)) {
      const pending = pendingOf(response)
      if (pending === undefined) continue
      judgeMode(session, pending, say)
      judgeTexts(session, pending, say)
      judgeConversation(session, pending, say)
    }
  }
})

function pendingOf(response: Response): Pending | undefined {
  const { request, unasked } = response.origin
  const [created] = response.created
  if (request?.policy !== 'after_current_response' || created === undefined || !isDecided(created)) return undefined
  if (unasked || response.guessed || !isAsker(response) || !isKnown(response)) return undefined
  const read = readBy(response, request)
  if (read === undefined || read > created.line) return undefined
  // One that was read when nothing was active is not pending: its service may let it begin a moment later.
  return hasWaited(response, created, read) ? { response, request, created, read } : undefined
}

/** The line of the first answer to what was sent behind a request on its connection. */
function readBy({ connection }: Response, request: Request): number | undefined {
  const { session } = connection
  for (const [received, ask] of itemsOf(session).answered) {
    const isBehind = ask.sent.connection === connection && ask.sent.line > request.sent.line
    if (isBehind && !mayBeForAnother(session, ask, received)) return received.line
  }
  return undefined
}

/** The mode in which it was asked for is another one than that which was in effect when it started. */
function judgeMode(session: Session, { response, request, created, read }: Pending, say: Say<Own>): void {
  const timeline = timelineOf(session)
  const [[mode, ...others], then] = [
    timeline.modes(request.sent.line, read),
    timeline.modes(created.line, created.line),
  ]
  const [started] = response.started
  const [done] = response.done
  if (mode === undefined || others.length > 0 || then.size !== 1 || then.has(mode) || done === undefined) return
  if (!isDecided(done)) return
  const row = 'snapshot.mode'
  if (mode === 'text_chat') {
    if (started === undefined) say.held(row, request.sent, created, done)
    else say.broken(row, 'no rendering: it was asked for in text_chat', show(started.type), request.sent, started)
    return
  }
  if (started !== undefined) say.held(row, request.sent, started)
  else if (isSpoken(response, request, done) && hasRendered(session, request))
    say.broken(row, 'a rendering: it was asked for in video_avatar', 'none', request.sent, created, done)
}

function isSpoken(response: Response, { kind }: Request, done: ReceivedEvent): boolean {
  const completed = textAt(objectAt(done.event, 'response'), 'status') === 'completed'
  return completed && kind === 'speech' && spokenText(response).trim() !== ''
}

/** A speech was rendered in this session before. */
function hasRendered(session: Session, { sent }: Request): boolean {
  return responsesOf(session).some(
    ({ origin, started }) => origin.request?.kind === 'speech' && (started[0]?.line ?? Infinity) < sent.line,
  )
}

/** It speaks what was registered, or asked for, only while it waited. */
function judgeTexts(session: Session, { response, request, created, read }: Pending, say: Say<Own>): void {
  const [done] = response.done
  const spoken = spokenText(response)
  if (done === undefined || !isDecided(done) || spoken === '') return
  const isLater = (line: number): boolean => line > read && line < created.line
  if (request.kind === 'speech_asset') {
    const vocal = objectAt(objectAt(objectAt(request.sent.event, 'response'), 'script'), 'vocal')
    const claimants = assetsOf(session).byId.get(textAt(vocal, 'speech_text_asset_id') ?? '') ?? []
    const known = claimants.filter(({ addition }) => (addition?.sent.line ?? 0) < request.sent.line)
    const own = known.some(({ member }) => textAt(member.value, 'text') === spoken)
    const later = claimants.find(
      ({ addition, member }) => isLater(addition?.sent.line ?? 0) && textAt(member.value, 'text') === spoken,
    )
    const row = known.length === 0 ? 'snapshot.later-asset-not-seen' : 'snapshot.asset-contents'
    if (own) say.held('snapshot.asset-contents', request.sent, done)
    else if (later?.addition !== undefined)
      say.broken(row, 'nothing of what was added later', show(spoken), request.sent, later.addition.sent, created, done)
  }
  if (request.kind !== 'speech' || request.texts?.includes(spoken) === true) return
  const other = session.sent.find(
    (one) => one.type === 'response.create' && isLater(one.line) && requestOf(one).texts?.includes(spoken) === true,
  )
  if (other !== undefined)
    say.broken('snapshot.response-fields', show(request.texts?.[0]), show(spoken), request.sent, other, done)
}

/** What waited out of band is written nowhere, as what is out of band at once is not; that it was created may be told. */
function judgeConversation(session: Session, { response, request, created }: Pending, say: Say<Own>): void {
  if (request.conversation !== 'none' || request.kind !== 'speech') return
  const written = session.received.find(
    ({ type, event, line }) =>
      line > created.line &&
      type === 'conversation.item.retrieved' &&
      response.items.has(textAt(objectAt(event, 'item'), 'id') ?? ''),
  )
  if (written !== undefined)
    say.broken('snapshot.response-fields', 'no item: it was out of band', show(written.type), request.sent, written)
}
