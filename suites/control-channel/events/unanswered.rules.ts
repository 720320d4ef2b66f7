import { causeOf } from '../model/additions.ts'
import { assetsOf } from '../model/assets.ts'
import { itemsOf } from '../model/items.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  isDecided,
  objectAt,
  objectsAt,
  patienceOf,
  type SentEvent,
  type Session,
  sessionsOf,
  textAt,
} from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { updatesOf } from '../model/updates.ts'
import { isOverdue } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'item-create': 'confirmed',
  'asset-add': 'confirmed',
  'session-update': 'accepted-yields-updated',
})

type Own = (typeof proves)[number]

/**
 * Each plain event is answered, by a confirmation or an `error` (4.4). Silence is held against a service in runs alone: in a
 * recording the answer may have been left out.
 */
export const unanswered = ruleOf('unanswered', proves, (trace, say) => {
  if (trace.header?.recording !== undefined) return
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const unheard = (sent: SentEvent): boolean => isUnheard(session, sent, patience)
    judgeItems(session, unheard, say)
    judgeAssets(session, unheard, say)
    judgeUpdates(session, unheard, say)
  }
})

/** No `error` is about it or may be, nobody else may have been told, and its connection was heard for long enough. */
function isUnheard(session: Session, sent: SentEvent, patience: number): boolean {
  const { connection, id, line, t } = sent
  if (id === undefined || session.byId.get(id)?.length !== 1 || !isDecided(sent)) return false
  const others = session.connections.some((one) => one !== connection && one.until.line > line)
  const refused = session.received.some((one) => {
    if (one.type !== 'error') return false
    const cause = causeOf(one)
    return cause === id || (one.line > line && (cause === undefined || !session.byId.has(cause)))
  })
  // What hears nothing any more tells nothing.
  const goesOn = connection.received.some((one) => one.t > t + patience)
  return !others && !refused && goesOn && isOverdue(sent, patience)
}

function judgeItems(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  const { asks, unasked } = itemsOf(session)
  // What came in another form may be any of them.
  if (unasked.some(({ kind, received }) => kind === 'create' && objectAt(received.event, 'item')['role'] === 'user'))
    return
  for (const { kind, sent, answers, refused, failed } of asks) {
    if (kind !== 'create' || answers.length > 0 || refused !== undefined || failed) continue
    if (isPlainItem(session, sent) && unheard(sent))
      say.broken('item-create.confirmed', 'conversation.item.created, or an error', 'nothing', sent)
  }
}

/** What a user types, under an id that nobody else names. */
function isPlainItem({ sent: all }: Session, { event }: SentEvent): boolean {
  const item = objectAt(event, 'item')
  const parts = objectsAt(item, 'content')
  const id = textAt(item, 'id')
  const isOwn = id === undefined || all.filter((one) => objectAt(one.event, 'item')['id'] === id).length === 1
  const isTyped = parts.length > 0 && parts.every((part) => part['type'] === 'input_text' && isPlainText(part['text']))
  return isOwn && isTyped && item['type'] === 'message' && item['role'] === 'user' && !('previous_item_id' in event)
}

const isPlainText = (text: unknown): boolean => typeof text === 'string' && text.trim() !== ''

function judgeAssets(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  const { additions, confirmations, byId } = assetsOf(session)
  if (confirmations.some(({ addition }) => addition === undefined)) return
  for (const { sent, members, confirmed, refused } of additions) {
    if (confirmed !== undefined || refused !== undefined || members.length === 0) continue
    // What is fetched may take its time.
    const isPlain = members.every(
      ({ id, kind, value }) =>
        kind === 'speech_text' && id !== '' && isPlainText(value['text']) && byId.get(id)?.length === 1,
    )
    if (isPlain && unheard(sent)) say.broken('asset-add.confirmed', 'asset.added, or an error', 'nothing', sent)
  }
}

function judgeUpdates(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  const { updates, strayDone, strayUpdated } = updatesOf(session)
  if (strayDone.length > 0 || strayUpdated.length > 0) return
  for (const { sent, updated, done, errors, failures } of updates) {
    if ([updated, done, errors, failures].some(({ length }) => length > 0)) continue
    const asked = Object.keys(objectAt(sent.event, 'session')).join()
    const modes = timelineOf(session).modes(sent.line, sent.line)
    if (asked !== 'active_avatar_id' || modes.has('video_avatar')) continue
    if (unheard(sent))
      say.broken('session-update.accepted-yields-updated', 'session.updated, or an error', 'nothing', sent)
  }
}
