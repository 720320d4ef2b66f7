import { show } from '#judge/show'
import { isRefusalOf } from '../model/additions.ts'
import { avatarsAt } from '../model/avatars.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { objectAt, type Session, sessionsOf } from '../model/sessions.ts'
import { derive, type State } from '../model/state.ts'
import { timelineOf } from '../model/timeline.ts'
import { isUnsure, type Update, updatesOf } from '../model/updates.ts'

const proves = [
  'session-update.accepted-yields-updated',
  'session-update.text-chat-mode-applied',
  'session-update.to-video-derives-default-image',
  'session-update.to-video-derives-only-image',
  'session-update.rejected-changes-nothing',
] as const

type Own = (typeof proves)[number]

/** An update with nothing in it that may be refused, in a state that is sure. */
interface Valid {
  readonly row: Own
  /** What is alike from one to the next: the same is refused each time. */
  readonly kind: string
  readonly update: Update
}

/** So often the same is refused, and never taken: once may be for a reason of the moment. */
const times = 2

/** 4.4 leaves no reason to refuse these: text needs no image, and an image that was shown before resolves. */
export const validUpdates = ruleOf('valid-updates', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    if (session.create === undefined) continue
    const all = updatesOf(session).updates.flatMap((update) => validOf(session, update) ?? [])
    for (const alike of Map.groupBy(all, ({ kind }) => kind).values()) {
      judgeAlike(alike, say)
      judgeBehind(session, alike, say)
    }
  }
})

const isTaken = ({ updated }: Update): boolean => updated.length > 0
const isRefused = (update: Update): boolean => !isUnsure(update) && isRefusalOf(update.sent, update.errors[0])

function judgeAlike(alike: readonly Valid[], say: Say<Own>): void {
  const refused = alike.filter(({ update }) => isRefused(update))
  const [first] = refused
  if (first === undefined || refused.length < times || alike.some(({ update }) => isTaken(update))) return
  tellRefused(first.row, refused, say)
}

/** What is taken is refused each time once an update before it was: that one, though refused, has changed something. */
function judgeBehind(session: Session, alike: readonly Valid[], say: Say<Own>): void {
  const { updates } = updatesOf(session)
  const behind = alike.filter(({ update }) => {
    const last = updates[updates.indexOf(update) - 1]
    return last !== undefined && !isTaken(last) && isRefused(last)
  })
  const refused = behind.filter(({ update }) => isRefused(update))
  const [first] = refused
  const wasTaken = alike.some(({ update }) => isTaken(update) && update.sent.line < (first?.update.sent.line ?? 0))
  if (!wasTaken || refused.length <= times || behind.some(({ update }) => isTaken(update))) return
  tellRefused('session-update.rejected-changes-nothing', refused, say)
}

function tellRefused(row: Own, refused: readonly Valid[], say: Say<Own>): void {
  const lines = refused.flatMap(({ update: { sent, errors } }) => [sent, ...errors.slice(0, 1)])
  const got = show(refused[0]?.update.errors[0]?.event['error'])
  say.broken(row, '`session.updated`', `an error each time: ${got}`, ...lines)
}

function validOf(session: Session, update: Update): Valid | undefined {
  const { sent, asked } = update
  const before = sureState(session, update)
  const names = Object.keys(objectAt(sent.event, 'session'))
  if (before === undefined || names.length !== Object.values(asked).filter((one) => one !== undefined).length) return
  if (typeof asked.image === 'string') return imageAgain(session, update, before)
  // Whatever the avatar is, it is one that was the active one.
  if (asked.avatar !== undefined && !wasActive(session, asked.avatar)) return undefined
  const named = asked.avatar === undefined || asked.avatar === before.avatar ? 'the same' : 'another'
  const toNoImage = asked.image === null || (asked.image === undefined && asked.avatar === undefined)
  if (asked.mode === 'text_chat' && toNoImage) {
    const kind = `from ${before.mode} to text, ${named} avatar, image ${String(asked.image)}`
    return { row: 'session-update.text-chat-mode-applied', kind, update }
  }
  const toVideo = asked.mode === 'video_avatar' && before.mode === 'text_chat' && asked.image === undefined
  return toVideo ? videoOf(session, update, before, named) : undefined
}

/** The image that is shown, of the avatar that is active, alone or beside a mode that is as it was. */
function imageAgain(session: Session, update: Update, before: State): Valid | undefined {
  const { mode = before.mode, avatar = before.avatar, image } = update.asked
  const isSame = mode === before.mode && avatar === before.avatar && image === before.image
  if (!isSame || mode !== 'video_avatar' || typeof image !== 'string') return undefined
  if (!wasShown(session, avatar, image)) return undefined
  return { row: 'session-update.accepted-yields-updated', kind: 'the image that is shown', update }
}

/** Back in video with an image that this avatar had there. */
function videoOf(session: Session, update: Update, before: State, named: string): Valid | undefined {
  const avatar = update.asked.avatar ?? before.avatar
  const derived = derive(avatarsAt(session, update.sent.line)(avatar))
  if (typeof derived === 'string' || !wasShown(session, avatar, derived.image)) return undefined
  const row = `session-update.to-video-derives-${derived.by}-image` as const
  return { row, kind: `to video, ${named} avatar ${avatar}`, update }
}

/** The state before it, where there is one only, and nothing else was on its way. */
function sureState(session: Session, update: Update): State | undefined {
  const { line } = update.sent
  const end = (update.errors[0] ?? update.updated[0])?.line ?? Number.POSITIVE_INFINITY
  const beside = updatesOf(session).updates.some(({ sent, updated, errors, done, failures }) => {
    const settled = (done[0] ?? errors[0] ?? updated[0] ?? failures[0])?.line ?? Number.POSITIVE_INFINITY
    return sent !== update.sent && sent.line < end && settled > line
  })
  const states = beside ? undefined : timelineOf(session).states(line - 1, line - 1)
  return states?.length === 1 ? states[0] : undefined
}

const wasActive = (session: Session, avatar: string): boolean =>
  timelineOf(session).initial?.avatar === avatar ||
  timelineOf(session).steps.some(({ shown }) => shown.avatar === avatar)

function wasShown(session: Session, avatar: string, image: string): boolean {
  return timelineOf(session).steps.some(
    ({ shown, update }) =>
      shown.mode === 'video_avatar' &&
      shown.avatar === avatar &&
      shown.image === image &&
      update.done.some(({ event }) => event['status'] === 'completed'),
  )
}
