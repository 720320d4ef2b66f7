import { slowestLate } from '#judge/timing/late'
import { show } from '#judge/show'
import { isObject } from '#trace/json'
import { assetsOf } from './model/assets.ts'
import { avatarsOf } from './model/avatars.ts'
import type { Confirmation } from './model/additions.ts'
import { itemsOf } from './model/items.ts'
import { ruleOf, type Say } from './model/say.ts'
import {
  type ReceivedEvent,
  type Connection,
  objectAt,
  objectsAt,
  type Session,
  sessionsOf,
  textAt,
} from './model/sessions.ts'
import { sameState } from './model/state.ts'
import { timelineOf } from './model/timeline.ts'
import { updatesOf } from './model/updates.ts'

/** What the interface leaves open about connections, updates, additions and items, as this target does it. Never judged. */
export const choices = ruleOf('choices', [], (trace, say) => {
  const late = slowestLate(trace)
  if (late !== undefined) {
    const type = textAt(isObject(late.frame.data) ? late.frame.data : {}, 'type') ?? 'an event'
    say.saw('answers.late', `${type} after ${(late.ms / 1_000).toFixed(1)} s`, late.frame)
  }
  for (const channel of trace.channels.values()) {
    const { refused, opened, closed } = channel
    if (refused?.entry.reason === 'status') {
      say.saw('admission.refusal-form', 'an HTTP status', refused)
      say.saw('admission.refusal-status', String(refused.entry.status), refused)
    } else if (
      opened !== undefined &&
      closed !== undefined &&
      closed.entry.by === 'target' &&
      closed.entry.t - opened.t < 500
    ) {
      if (channel.frames.length > 0) continue
      say.saw('admission.refusal-form', 'a socket that is closed at once', closed)
      say.saw('admission.refusal-close-code', String(closed.entry.code), closed)
    }
  }
  for (const session of sessionsOf(trace)) {
    seeConnections(session, say)
    seeUpdates(session, say)
    for (const one of assetsOf(session).confirmations) seeAssets(one, say)
    for (const one of avatarsOf(session).confirmations) seeExtent(one, 'avatar-added.all-or-new', say)
    for (const received of session.received)
      if (received.type === 'conversation.item.retrieved') seeAudio(received, say)
  }
})

function seeConnections(session: Session, say: Say): void {
  for (const connection of session.connections) {
    const [received] = connection.received
    const [sent] = connection.sent
    if (received !== undefined && (sent === undefined || received.line < sent.line)) {
      say.saw('admission.first-event', (received.type ?? 'no type').slice(0, 80), received)
    }
    for (const newer of session.connections) seeOlder(connection, newer, say)
  }
  for (const { sent, answers } of itemsOf(session).asks)
    seeAudience(sent.connection, answers, 'connections.confirmation-audience', say)
  for (const { sent, updated } of updatesOf(session).updates) {
    seeAudience(sent.connection, updated, 'connections.confirmation-audience', say)
  }
}

function seeOlder(older: Connection, newer: Connection, say: Say): void {
  if (newer.opened.line <= older.opened.line || older.until.line < newer.opened.line) return
  const later = older.received.find(({ line }) => line > newer.opened.line)
  if (later !== undefined) say.saw('connections.older-survives', 'it does', later)
}

/** Who learned of an answer, where several could. */
export function seeAudience(
  asker: Connection,
  answers: readonly ReceivedEvent[],
  choice: 'connections.confirmation-audience' | 'connections.response-audience',
  say: Say,
): void {
  const [answer] = answers
  if (answer === undefined) return
  const present = asker.session.connections.filter(
    (one) => one.opened.line < answer.line && one.until.line > answer.line,
  )
  if (present.length < 2) return
  const reached = new Set(answers.map(({ connection }) => connection)).size
  say.saw(choice, reached > 1 ? 'all of the session' : 'one connection', answer)
}

function seeUpdates(session: Session, say: Say): void {
  const { updates } = updatesOf(session)
  for (const { sent, done } of updates) {
    const [end] = done
    const reason = end === undefined ? undefined : textAt(end.event, 'reason')
    if (end === undefined) continue
    if (reason !== undefined) say.saw('session-update-done.reason-values', reason.slice(0, 80), end)
    const newer = updates.some((one) => one.sent.line > sent.line && one.sent.line < end.line)
    if (newer) say.saw('session-update.superseding', show(end.event['status']), sent, end)
    if (sent.id === undefined) {
      const named = textAt(end.event, 'request_event_id')
      const same = updates.some(({ updated }) => updated.some(({ event }) => event['event_id'] === named))
      say.saw(
        'session-update-done.request-event-id-without-client-id',
        same ? 'the id of session.updated' : 'something else',
        end,
      )
    }
  }
  for (const { received, shown, before } of timelineOf(session).steps) {
    const told = received.event['media'] !== undefined || received.event['media_transport'] !== undefined
    if (shown.mode === 'video_avatar') say.saw('session-updated.media-details', told ? 'told' : 'left out', received)
    const [only, ...others] = before
    if (only !== undefined && others.length === 0 && sameState(only, shown))
      say.saw('session-updated.unchanged-update', 'confirmed', received)
  }
}

function seeAssets(confirmation: Confirmation, say: Say): void {
  seeExtent(confirmation, 'asset-added.all-or-new', say)
  for (const { kind, value } of confirmation.shown) {
    if (kind !== 'visual_prompts') continue
    const name = value['text'] === undefined ? (value['prompt'] === undefined ? 'none' : 'prompt') : 'text'
    say.saw('asset-added.visual-prompt-field', name, confirmation.received)
  }
}

/** Only later confirmations tell whether the earlier ones are listed again. */
function seeExtent(
  { received, addition, shown, count }: Confirmation,
  choice: 'asset-added.all-or-new' | 'avatar-added.all-or-new',
  say: Say,
): void {
  if (addition === undefined || count < 2) return
  const more = shown.some(({ id }) => !addition.members.some((member) => member.id === id))
  say.saw(choice, more ? 'all of the session' : 'those just added', received)
}

function seeAudio(received: ReceivedEvent, say: Say): void {
  for (const part of objectsAt(objectAt(received.event, 'item'), 'content')) {
    if (part['type'] === 'input_audio')
      say.saw('item-retrieve.audio', part['audio'] === undefined ? 'left out' : 'shown', received)
  }
}
