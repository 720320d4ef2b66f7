import { mayHaveCut } from '#judge/sessions/session-end'
import { ruleOf } from '../model/say.ts'
import { isDecided, type ReceivedEvent, sessionsOf } from '../model/sessions.ts'
import { isAlone, isUnsure, shownSession, type Update, updatesOf } from '../model/updates.ts'

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
  const alone = all.filter(isUndisturbed)
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

/** Nothing else was under way, and the session was not about to end. */
function isUndisturbed({ update, done }: Ended): boolean {
  return isAlone(update, done) && !mayHaveCut(update.sent.connection.session.closing, done.t)
}
