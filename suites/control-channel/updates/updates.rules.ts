import { mayHaveCut } from '#judge/sessions/session-end'
import { show } from '#judge/show'
import { avatarsAt } from '../model/avatars.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  type ReceivedEvent,
  isDecided,
  objectAt,
  patienceOf,
  sessionsOf,
  type Session,
  textAt,
} from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isAlone, isUnsure, onAsker, type Stray, type Update, updatesOf } from '../model/updates.ts'
import { isOverdue, lastSent } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'session-update': [
    'accepted-yields-updated updated-once accepted-yields-done done-once invalid-answered-by-error',
    'invalid-no-updated invalid-no-done undisturbed-completes',
  ],
  'session-updated': 'event-id-echoed event-id-generated only-when-applied',
  'session-update-done': 'request-event-id not-replayed',
  connections: 'sender-is-answered',
})

type Own = (typeof proves)[number]

/** 3.5: an accepted update yields `session.updated` and later one `session.update.done`; a refused one an `error` only. */
export const updates = ruleOf('updates', proves, (trace, say) => {
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const book = updatesOf(session)
    for (const update of book.updates) {
      if (isUnsure(update)) continue
      if (update.errors.some((error) => comesFirst(error, update.updated))) judgeRefused(update, say)
      else judgeAccepted(update, patience, say)
    }
    const anyApplied = book.updates.some(({ updated }) => updated.length > 0)
    if (anyApplied) for (const update of book.updates) if (!isUnsure(update)) praiseRefusal(update, say)
    for (const stray of book.strayUpdated) judgeStrayUpdated(stray, say)
    for (const stray of book.strayDone) judgeStrayDone(stray, say)
    judgeReplay(session, say)
  }
})

/** Whether an event came on its connection before any of the others did. */
function comesFirst(received: ReceivedEvent, others: readonly ReceivedEvent[]): boolean {
  return others.every((other) => other.line > received.line)
}

function judgeAccepted(update: Update, patience: number, say: Say<Own>): void {
  const { sent } = update
  const [updated] = onAsker(update, update.updated)
  const [done] = onAsker(update, update.done)
  if (updated !== undefined) {
    say.held('session-update.accepted-yields-updated', sent, updated)
    say.held('session-update.updated-once', sent, updated)
    say.held('session-updated.only-when-applied', sent, updated)
    judgeUpdatedId(update, updated, say)
  } else if (done !== undefined && isDecided(done) && !hasStray(update) && !mayGoWithout(update, done)) {
    if (cameElsewhere(update.updated, sent, say)) return
    say.broken('session-update.accepted-yields-updated', 'a session.updated before it', 'none', sent, done)
  }
  if (updated !== undefined) judgeEnd(update, updated, done, patience, say)
}

/**
 * "A `session.update` is applied": one that was superseded before that, or that failed for want of an image, has its end
 * alone.
 */
function mayGoWithout({ sent, asked }: Update, done: ReceivedEvent): boolean {
  const { status } = done.event
  if (status === 'failed') {
    const modes = timelineOf(sent.connection.session).modes(sent.line, sent.line)
    return asked.mode === 'video_avatar' || (asked.mode === undefined && modes.has('video_avatar'))
  }
  return wasSuperseded(sent, done)
}

/** By an update that came later; of two that were on their way on two connections at once, either may have come later. */
function wasSuperseded({ line, connection }: Update['sent'], done: ReceivedEvent): boolean {
  const { updates: all } = updatesOf(connection.session)
  const mayBeNewer = ({ sent, updated, done: ends }: Update): boolean => {
    if (sent.line >= done.line || sent.line === line) return false
    if (sent.line > line) return true
    return sent.connection !== connection && [...updated, ...ends].every((answer) => answer.line > line)
  }
  return done.event['status'] === 'cancelled' && all.some(mayBeNewer)
}

/** An answer that could not be tied to an update may be the one that is missing. */
function hasStray({ sent }: Update): boolean {
  const { strayUpdated } = updatesOf(sent.connection.session)
  return strayUpdated.some(({ received }) => received.connection === sent.connection && received.line > sent.line)
}

function judgeUpdatedId({ sent }: Update, updated: ReceivedEvent, say: Say<Own>): void {
  if (sent.id !== undefined) say.held('session-updated.event-id-echoed', sent, updated)
  else if (sent.event['event_id'] === undefined) {
    const id = updated.event['event_id']
    const good = typeof id === 'string' && id !== ''
    say.judge('session-updated.event-id-generated', good, 'a nonempty event_id', () => show(id), sent, updated)
  }
}

function judgeEnd(
  update: Update,
  updated: ReceivedEvent,
  done: ReceivedEvent | undefined,
  patience: number,
  say: Say<Own>,
): void {
  const row = 'session-update.accepted-yields-done'
  const { sent } = update
  if (done === undefined) {
    const stray = updatesOf(sent.connection.session).strayDone.some(({ received }) => received.line > sent.line)
    if (stray || !isOverdue(updated, patience)) return
    const [error] = update.errors
    if (error === undefined) {
      if (cameElsewhere(update.done, sent, say)) return
      say.broken(row, `session.update.done within ${patience} ms`, 'none', sent, updated)
    } else
      say.broken(
        'session-update.invalid-no-updated',
        'an error only',
        'session.updated before it',
        sent,
        updated,
        error,
      )
    return
  }
  // It came, and what comes while a session ends may come in any order.
  if (!isDecided(done)) return
  // Whether an update that was superseded is acknowledged at all is undecided, so that it may be once it has ended, too.
  const inOrder = done.line > updated.line
  if (inOrder || !wasSuperseded(sent, done))
    say.judge(row, inOrder, 'session.update.done after session.updated', 'before it', sent, updated, done)
  say.held('session-update.done-once', sent, done)
  if (sent.id !== undefined) say.held('session-update-done.request-event-id', sent, done)
  if (isUndisturbed(update, done)) {
    const { status } = done.event
    say.judge(
      'session-update.undisturbed-completes',
      status === 'completed',
      'completed',
      () => show(status),
      sent,
      done,
    )
  }
}

/** What does not come to the sender came to another connection: it came, and "to which one" is not said. */
function cameElsewhere([answer]: readonly ReceivedEvent[], sent: Update['sent'], say: Say<Own>): boolean {
  if (answer === undefined) return false
  say.broken('connections.sender-is-answered', `${answer.type} on the connection that asked`, 'none', sent, answer)
  return true
}

/** In `text_chat` there is nothing that an update could fail to load, but for an end of the session. */
function isUndisturbed(update: Update, done: ReceivedEvent): boolean {
  const { sent, asked, updated } = update
  const { session } = sent.connection
  if (asked.mode !== undefined && asked.mode !== 'text_chat') return false
  // An image that is named may be looked at all the same.
  if (typeof asked.image === 'string' || Object.values(objectAt(sent.event, 'session')).includes('')) return false
  const inText = updated.every(
    ({ event }) => (event['session'] as { mode?: unknown } | undefined)?.mode === 'text_chat',
  )
  const ends = done.event['status'] === 'cancelled' && mayHaveCut(session.closing, done.t)
  return inText && isDecided(done) && !ends && isAlone(update, done)
}

function judgeRefused(update: Update, say: Say<Own>): void {
  const { sent, errors, updated, done } = update
  const [error] = errors
  if (error === undefined) return
  const [late] = updated.filter(isDecided)
  if (late !== undefined)
    say.broken(
      'session-update.invalid-no-updated',
      'no session.updated after the error',
      show(late.event['session']),
      sent,
      error,
      late,
    )
  const [end] = done.filter(isDecided)
  if (end !== undefined && late === undefined && !failsForImage(update, end))
    say.broken('session-update.invalid-no-done', 'no session.update.done', show(end.event['status']), sent, error, end)
}

/** It was accepted, and failed for want of an image: the error may tell why. An avatar that there is not shows at once. */
function failsForImage(update: Update, end: ReceivedEvent): boolean {
  const { sent, asked } = update
  const isKnown =
    asked.avatar === undefined || avatarsAt(sent.connection.session, sent.line)(asked.avatar) !== undefined
  return isKnown && end.event['status'] === 'failed' && mayGoWithout(update, end)
}

/** Refusals count beside an update that was applied. */
function praiseRefusal({ sent, errors, updated, done }: Update, say: Say<Own>): void {
  const [error] = errors
  if (error === undefined || updated.length > 0) return
  say.held('session-update.invalid-answered-by-error', sent, error)
  const watched = sent.connection.received.some((later) => later.line > error.line)
  if (!watched) return
  say.held('session-update.invalid-no-updated', sent, error)
  if (done.length === 0) say.held('session-update.invalid-no-done', sent, error)
}

function judgeStrayUpdated(stray: Stray, say: Say<Own>): void {
  const { received, waiting, sent, again } = stray
  const id = show(received.event['event_id'])
  if (!isDecided(received)) return
  const [update] = waiting
  if (update !== undefined) {
    if (isLone(stray)) say.broken('session-updated.event-id-echoed', show(update.sent.id), id, update.sent, received)
  } else if (again !== undefined) {
    say.broken(
      'session-update.updated-once',
      'one session.updated',
      'another one',
      again.sent,
      ...again.updated,
      received,
    )
  } else if (sent > 0 && isLone(stray) && lastSent(received)?.type === 'session.update') {
    say.broken('session-update.updated-once', 'one session.updated', `another one, ${id}`, received)
  } else if (sent === 0 || isLone(stray)) {
    say.broken('session-updated.only-when-applied', 'no session.updated', id, received)
  }
}

function judgeStrayDone(stray: Stray, say: Say<Own>): void {
  const { received, waiting, again } = stray
  const id = show(received.event['request_event_id'])
  if (!isDecided(received)) return
  const [update] = waiting
  if (update !== undefined) {
    if (isLone(stray))
      say.broken('session-update-done.request-event-id', show(update.sent.id), id, update.sent, received)
  } else if (again !== undefined) {
    say.broken(
      'session-update.done-once',
      'one session.update.done',
      'another one',
      again.sent,
      ...again.done,
      received,
    )
  } else if (isLone(stray)) {
    say.broken('session-update-done.request-event-id', 'the id of a session.update', id, received)
  }
}

/** All updates so far were sent on the connection that shows this; who else learns of one is not said. */
function isLone({ received }: Stray): boolean {
  const { updates: all } = updatesOf(received.connection.session)
  return all.every(({ sent }) => sent.line > received.line || sent.connection === received.connection)
}

/** "Not retained or replayed": a connection that was asked for after the end of an update never learns of it. */
function judgeReplay(session: Session, say: Say<Own>): void {
  const row = 'session-update-done.not-replayed'
  for (const connection of session.connections) {
    const ended = updatesOf(session).updates.flatMap(
      ({ done }) => done.find(({ line }) => line < connection.asked.line) ?? [],
    )
    const [earlier] = ended
    if (earlier === undefined) continue
    const told = ended.map(({ event }) => textAt(event, 'request_event_id'))
    const ids = new Set(told.filter((id) => session.byId.get(id ?? '')?.length === 1))
    const sentHere = new Set(connection.sent.map(({ id }) => id))
    const replayed = connection.received.find(({ type, event }) => {
      const id = textAt(event, 'request_event_id')
      return type === 'session.update.done' && id !== undefined && id !== '' && ids.has(id) && !sentHere.has(id)
    })
    if (replayed !== undefined) {
      say.broken(row, 'no session.update.done of before', show(replayed.event['request_event_id']), earlier, replayed)
    } else if (connection.received.length > 0) say.held(row, earlier, { line: connection.opened.line })
  }
}
