import { isRecording } from '#judge/recordings'
import { readOnce } from '#judge/read-once'
import { isClientEventType, isServerEventType } from '#spec/tables'
import type { JsonObject } from '#trace/json'
import { causeOf, mayTellOf, toldBy } from '../model/additions.ts'
import { assetsOf } from '../model/assets.ts'
import { avatarsAt, avatarsOf } from '../model/avatars.ts'
import { itemsOf } from '../model/items.ts'
import { responsesOf } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  isDecided,
  objectAt,
  objectsAt,
  patienceOf,
  type ReceivedEvent,
  type SentEvent,
  type Session,
  sessionsOf,
  textAt,
} from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { type Update, updatesOf } from '../model/updates.ts'
import { isKnown, isOverdue } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'item-create': 'confirmed',
  'asset-add': 'confirmed',
  'avatar-add': 'confirmed',
  message: 'unknown-type-rejected',
  'session-update': 'accepted-yields-updated',
})

type Own = (typeof proves)[number]

/**
 * Each plain event is answered, by a confirmation or an `error` (4.4). Silence is held against a service in runs alone: in a
 * recording the answer may have been left out.
 */
export const unanswered = ruleOf('unanswered', proves, (trace, say) => {
  if (isRecording(trace)) return
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const unheard = (sent: SentEvent): boolean => isUnheard(session, sent, patience)
    judgeItems(session, unheard, say)
    judgeAssets(session, unheard, say)
    judgeAvatars(session, unheard, say)
    judgeUnknown(session, unheard, say)
    judgeUpdates(session, unheard, say)
  }
})

/** No `error` is about it or may be, nobody else may have been told, and its connection went on to answer what came later. */
function isUnheard(session: Session, sent: SentEvent, patience: number): boolean {
  const { connection, id, line } = sent
  if (id === undefined || session.byId.get(id)?.length !== 1 || !isDecided(sent)) return false
  const others = session.connections.some(
    (one) => one !== connection && one.until.line > line && one.asked.line < connection.until.line,
  )
  const refused = session.received.some((one) => one.type === 'error' && (causeOf(one) === id || mayTellOf(one, line)))
  if (others || refused || !isOverdue(sent, patience)) return false
  return answersLater(session, sent) && !waitsBehind(session, sent, patience)
}

/** What hears nothing any more, or is about to end, tells nothing: "events sent while closing" are undecided. */
function answersLater(session: Session, { connection, line }: SentEvent): boolean {
  return [...answersIn(session).keys()].some((one) => one.connection === connection && one.line > line)
}

/** What is fetched or redrawn takes its time, and what was sent after it may have to wait for that. */
function waitsBehind(session: Session, { connection, line }: SentEvent, patience: number): boolean {
  return connection.sent.some((one) => {
    if (one.line >= line || !takesTime(one)) return false
    const unnamed = session.received.find((error) => error.type === 'error' && mayTellOf(error, one.line))
    const end = answersIn(session).get(one) ?? unnamed
    return end === undefined || (end.line > line && end.t + patience > connection.until.t)
  })
}

function takesTime({ connection, type, event, line }: SentEvent): boolean {
  if (type === 'session.update') return timelineOf(connection.session).modes(line, line).has('video_avatar')
  return /url"/.test(JSON.stringify(event))
}

/** What was answered on the connection that asked, and by what it was settled. */
const answersIn = readOnce((session: Session): ReadonlyMap<SentEvent, ReceivedEvent> => {
  const found = new Map<SentEvent, ReceivedEvent>()
  const note = (sent: SentEvent | undefined, received: ReceivedEvent | undefined): void => {
    if (sent !== undefined && received?.connection === sent.connection && !found.has(sent)) found.set(sent, received)
  }
  for (const [received, { sent }] of itemsOf(session).answered) note(sent, received)
  for (const { sent, updated, done } of updatesOf(session).updates) note(sent, done[0] ?? updated[0])
  for (const { additions } of [assetsOf(session), avatarsOf(session)])
    for (const { sent, confirmed } of additions) note(sent, confirmed)
  for (const response of responsesOf(session))
    if (isKnown(response)) note(response.origin.request?.sent, response.created[0])
  for (const received of session.received) if (received.type === 'error') note(toldBy(received), received)
  return found
})

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

function judgeAvatars(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  const { additions, confirmations, given } = avatarsOf(session)
  if (confirmations.some(({ addition }) => addition === undefined)) return
  const isFree = (id: string, { line }: SentEvent): boolean =>
    given.every((one) => one.id !== id) &&
    additions.every(
      (other) =>
        other.sent.line >= line ||
        (other.refused?.line ?? line) < line ||
        other.members.every((member) => member.id !== id),
    )
  for (const { sent, members, confirmed, refused } of additions) {
    if (confirmed !== undefined || refused !== undefined || members.length === 0) continue
    const isPlain = members.every(({ id, value }) => isPlainAvatar(value) && isFree(id, sent))
    const isOnce = new Set(members.map(({ id }) => id)).size === members.length
    if (isPlain && isOnce && unheard(sent))
      say.broken('avatar-add.confirmed', 'avatar.added, or an error', 'nothing', sent)
  }
}

/** "A text-only avatar needs no usable source image" (2.3): an id, and what it is told. */
function isPlainAvatar({ avatar_id: id, instructions, ...others }: JsonObject): boolean {
  return id !== '' && Object.keys(others).length === 0 && (instructions === undefined || isPlainText(instructions))
}

/** "Unknown client events are rejected with an `error` event" (4.4). */
function judgeUnknown(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  for (const sent of session.sent) {
    const { type = '' } = sent
    if (type === '' || isClientEventType(type) || isServerEventType(type) || !unheard(sent)) continue
    say.broken('message.unknown-type-rejected', 'an error', 'nothing', sent)
  }
}

function judgeUpdates(session: Session, unheard: (sent: SentEvent) => boolean, say: Say<Own>): void {
  const { updates, strayDone, strayUpdated } = updatesOf(session)
  if (strayDone.length > 0 || strayUpdated.length > 0) return
  for (const update of updates) {
    const { sent, updated, done, errors, failures } = update
    if ([updated, done, errors, failures].some(({ length }) => length > 0)) continue
    if (selectsAnother(session, update) && unheard(sent))
      say.broken('session-update.accepted-yields-updated', 'session.updated, or an error', 'nothing', sent)
  }
}

/** Another avatar that there is, in text, and nothing else: whether an update that changes nothing is confirmed is not said. */
function selectsAnother(session: Session, { sent, asked }: Update): boolean {
  if (Object.keys(objectAt(sent.event, 'session')).join() !== 'active_avatar_id') return false
  if (avatarsAt(session, sent.line)(asked.avatar ?? '') === undefined) return false
  const states = timelineOf(session).states(sent.line - 1, sent.line - 1) ?? []
  return states.length > 0 && states.every(({ mode, avatar }) => mode === 'text_chat' && avatar !== asked.avatar)
}
