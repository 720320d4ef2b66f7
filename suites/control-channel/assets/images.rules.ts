import { show } from '#judge/show'
import { avatarsAt } from '../model/avatars.ts'
import { type Addition, isRefusalOf } from '../model/additions.ts'
import { Book } from '../model/book.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, sessionsOf } from '../model/sessions.ts'
import { readAvatar, readState } from '../model/state.ts'
import { isUnsure, shownSession, type Update, updatesOf } from '../model/updates.ts'
import { rows } from '../rows.ts'

const proves = rows({ 'avatar-add': 'images-not-appended images-not-replaced' })

type Own = (typeof proves)[number]

/** "Source images cannot be appended to an existing avatar" (4.4): what was refused changes none of them. */
export const keptImages = ruleOf('kept-images', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    if (session.create === undefined) continue
    const book = new Book(session, 'avatar-add')
    for (const update of updatesOf(session).updates) if (!isUnsure(update)) judge(book, update, say)
  }
})

function judge(book: Book, update: Update, say: Say<Own>): void {
  const { asked, sent } = update
  const { avatar, image } = asked
  if (avatar === undefined || typeof image !== 'string') return
  const taken = book.taken(avatar, sent.line)
  const behind = book.additions.filter(
    (one) =>
      taken !== undefined &&
      taken.since < one.sent.line &&
      (one.refused?.line ?? Infinity) < sent.line &&
      one.members.some(({ id }) => id === avatar),
  )
  if (behind.length === 0) return
  const known = avatarsAt(book.session, sent.line)(avatar)
  if (known?.images.has(image) === true) judgeKept(book, update, behind, say)
  else
    judgeForeign(
      update,
      behind.findLast((one) => imagesOf(one, avatar).has(image)),
      say,
    )
}

function imagesOf({ members }: Addition, avatar: string): ReadonlySet<string> {
  return new Set(members.filter(({ id }) => id === avatar).flatMap(({ value }) => [...readAvatar(value).images.keys()]))
}

/** In video an image may be looked at after the acknowledgement: what counts is that it completes. */
function judgeForeign({ asked, sent, updated, done }: Update, from: Addition | undefined, say: Say<Own>): void {
  const [[shown], [end]] = [updated, done]
  if (from === undefined || shown === undefined || end === undefined || !isDecided(end)) return
  const row = 'avatar-add.images-not-appended'
  if (end.event['status'] !== 'completed' || readState(shownSession(shown))?.image !== asked.image) return
  say.broken(row, 'no image that was refused', `${show(asked.image ?? null)} is shown`, from.sent, sent, shown, end)
}

/** The same image of the same avatar was shown before the addition was refused. */
function judgeKept(book: Book, update: Update, again: readonly Addition[], say: Say<Own>): void {
  const { asked, sent, errors, done } = update
  const [first] = again
  const control = updatesOf(book.session).updates.some(
    (one) =>
      one.sent.line < (first?.sent.line ?? 0) &&
      one.asked.avatar === asked.avatar &&
      one.asked.image === asked.image &&
      one.done.some(({ event }) => event['status'] === 'completed'),
  )
  if (!control || first === undefined) return
  const [[error], [end]] = [errors, done]
  const row = 'avatar-add.images-not-replaced'
  // Once it may not be had just then.
  const alike = updatesOf(book.session).updates.filter(
    (one) => one.sent.line > first.sent.line && one.asked.avatar === asked.avatar && one.asked.image === asked.image,
  )
  const refused = alike.filter((one) => one.updated.length === 0 && isRefusalOf(one.sent, one.errors[0]))
  const isRefusedAlways = refused.length > 1 && alike.every((one) => one.updated.length === 0)
  if (isRefusedAlways && isRefusalOf(sent, error))
    say.broken(row, `the image ${show(asked.image ?? null)}, as before`, 'an error', first.sent, sent, error)
  else if (end?.event['status'] === 'completed') say.held(row, first.sent, sent, end)
}
