import { show } from '#judge/show'
import { mayTellOf } from '../model/additions.ts'
import { avatarsAt, avatarsOf } from '../model/avatars.ts'
import { type FaultRow, faultOf, faultRows, isImageFault } from '../model/faults.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Session, sessionsOf, patienceOf } from '../model/sessions.ts'
import { readAvatar, type State } from '../model/state.ts'
import { timelineOf } from '../model/timeline.ts'
import { isUnsure, type Update, updatesOf } from '../model/updates.ts'
import { isOverdue } from '../model/watch.ts'

const unanswered = 'session-update.invalid-answered-by-error'

/**
 * Updates that 4.4 forbids in every state that may be in effect: an `error`, or, where the image is what is wrong, an
 * acknowledgement and the end `failed`.
 */
export const sessionFaults = ruleOf('session-faults', [...faultRows, unanswered], (trace, say) => {
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    for (const update of updatesOf(session).updates) if (!isUnsure(update)) judgeUpdate(session, update, patience, say)
  }
})

function judgeUpdate(session: Session, update: Update, patience: number, say: Say<FaultRow | typeof unanswered>): void {
  const [updated, error] = [update.updated[0], update.errors[0]]
  if (updated !== undefined && error !== undefined) return
  const timeline = timelineOf(session)
  const step = timeline.steps.find((one) => one.update === update)
  const before = step?.before ?? timeline.states(update.sent.line - 1, update.sent.line - 1)
  const fault = commonFault(session, update, before ?? [])
  if (fault === undefined) return
  if (updated === undefined && error === undefined) {
    if (isIgnored(update, patience)) say.broken(unanswered, 'an `error`', `nothing within ${patience} ms`, update.sent)
    return
  }
  const late = isImageFault(fault) || (update.asked.mode ?? before?.[0]?.mode) === 'video_avatar'
  const failed = late ? hasFailed(update) : updated === undefined
  if (failed === undefined) return
  if (updated !== undefined && !failed) {
    say.broken(fault, 'an `error`', show(updated.event['session']), update.sent, updated)
  } else if (hasPositiveControl(session, update, before ?? []))
    say.held(fault, update.sent, ...update.errors, ...update.done)
}

/** Whether it did not complete; undefined where its end has not come. */
function hasFailed({ errors, done }: Update): boolean | undefined {
  const [end] = done
  if (end === undefined) return errors.length > 0 ? true : undefined
  return end.event['status'] !== 'completed'
}

/** No answer at all came, not even one that names nothing. */
function isIgnored({ sent, done }: Update, patience: number): boolean {
  const { received, session } = sent.connection
  const anonymous = received.some((one) => one.type === 'error' && mayTellOf(one, sent.line))
  const stray = updatesOf(session).strayUpdated.some((one) => one.received.line > sent.line)
  const maybe = anonymous || stray
  return !maybe && done.length === 0 && isOverdue(sent, patience)
}

function commonFault(session: Session, { sent, asked }: Update, states: readonly State[]): FaultRow | undefined {
  const avatars = avatarsAt(session, sent.line)
  const others = avatarsOf(session).given.map(({ value }) => readAvatar(value))
  const faults = new Set(states.map((state) => faultOf(state, asked, avatars, others)))
  const [fault] = faults
  const offered = avatarsOf(session).additions.some(({ members }) => members.some(({ id }) => id === asked.avatar))
  if (faults.size !== 1 || (fault === 'session-update.unknown-avatar-rejected' && offered)) return undefined
  return fault
}

/** Another update to the same mode was applied in this session: in video an acknowledgement may be all that comes of it. */
function hasPositiveControl(session: Session, { asked }: Update, [state]: readonly State[]): boolean {
  const { steps } = timelineOf(session)
  if (asked.mode !== 'video_avatar' && state?.mode !== 'video_avatar') return steps.length > 0
  return steps.some(({ shown, update }) => shown.mode === 'video_avatar' && completes(update))
}

function completes({ done }: Update): boolean {
  return done.some(({ event }) => event['status'] === 'completed')
}
