import { mayHaveCut } from '#judge/session-end'
import { ruleOf } from '../model/say.ts'
import { isDecided, type ReceivedEvent, type Session, sessionsOf } from '../model/sessions.ts'
import { isUnsure, shownSession, type Update, updatesOf } from '../model/updates.ts'

const row = 'session-update.undisturbed-completes'

/** So many times the same is no accident. */
const times = 3

interface Ended {
  readonly update: Update
  readonly done: ReceivedEvent
}

/**
 * In video an update may fail for its image, however often; it is cancelled where something took its place (6.2). Where every
 * one is, though nothing was sent meanwhile, none is ever applied.
 */
export const updatesInVideo = ruleOf('updates-in-video', [row], (trace, say) => {
  const all = sessionsOf(trace).flatMap((session) => updatesOf(session).updates.flatMap((update) => endOf(update)))
  if (all.some(({ done }) => done.event['status'] !== 'cancelled')) return
  const alone = all.filter(isAlone)
  const [first] = alone
  if (first === undefined || alone.length < times) return
  const got = `"cancelled" each of ${alone.length} times`
  say.broken(row, 'completed', got, ...alone.slice(0, times).flatMap(({ update, done }) => [update.sent, done]))
})

/** An update after which the session shows itself in video, and its end. */
function endOf(update: Update): readonly Ended[] {
  const [[shown], [done]] = [update.updated, update.done]
  if (shown === undefined || done === undefined || isUnsure(update) || !isDecided(done)) return []
  return shownSession(shown)['mode'] === 'video_avatar' ? [{ update, done }] : []
}

/** Nothing was sent while it was under way, no other update was, and the session was not about to end. */
function isAlone({ update, done }: Ended): boolean {
  const { sent } = update
  const { session } = sent.connection
  const isMeanwhile = ({ line }: { readonly line: number }): boolean => line > sent.line && line < done.line
  return !session.sent.some(isMeanwhile) && !isMidUpdate(session, update) && !mayHaveCut(session.closing, done.t)
}

function isMidUpdate(session: Session, update: Update): boolean {
  return updatesOf(session).updates.some((other) => {
    const end = (other.done[0] ?? other.errors[0] ?? other.failures[0])?.line ?? Number.POSITIVE_INFINITY
    return other !== update && other.sent.line < update.sent.line && end > update.sent.line
  })
}
