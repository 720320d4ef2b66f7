import { show } from '#judge/show'
import type { Addition, Member } from '../model/additions.ts'
import { errorsByCause, isRefusal, isRefusalOf } from '../model/additions.ts'
import { Book } from '../model/book.ts'
import { responsesOf } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, objectAt, objectsAt, type ReceivedEvent, type SentEvent } from '../model/sessions.ts'
import { sessionsOf, textAt } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isUnsure, namesImmutable, shownSession, type Update, updatesOf } from '../model/updates.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'asset-add': 'rejected-not-confirmed free-after-rejection additive',
  'avatar-add': [
    'rejected-not-confirmed free-after-rejection additive selectable',
    'none-registered-on-invalid none-registered-after-invalid none-registered-beside-existing',
  ],
  'session-update': 'active-avatar-applied',
  secret: 'reconnect-keeps-assets',
})

type Own = (typeof proves)[number]
type Kind = Book['kind']

/**
 * "Additive: existing ids cannot be changed or replaced. If any is invalid none is registered" (4.4): what is registered
 * stays, and can be used; what was refused is not, and its id is free.
 */
export const registry = ruleOf('registry', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const [assets, avatars] = [new Book(session, 'asset-add'), new Book(session, 'avatar-add')]
    for (const book of [assets, avatars]) {
      for (const addition of book.additions) if (isDecided(addition.sent)) judgeAddition(book, addition, say)
    }
    for (const update of updatesOf(session).updates) judgeSelection(avatars, update, say)
    for (const sent of session.sent) if (sent.type === 'response.create') judgeSpeech(assets, sent, say)
  }
})

function judgeAddition(book: Book, addition: Addition, say: Say<Own>): void {
  if (book.session.create === undefined) return
  judgeConfirmedToo(book.kind, addition, say)
  judgeFree(book, addition, say)
}

/** What has nothing to fetch is refused or registered when it is read. */
function judgeConfirmedToo(kind: Kind, addition: Addition, say: Say<Own>): void {
  const { sent, confirmed, refused, members } = addition
  if (confirmed === undefined || refused !== undefined || sent.id === undefined || !members.every(isPlain)) return
  const error = errorsFor(sent).find((one) => one.line > confirmed.line && isRefusal(one))
  if (error !== undefined)
    say.broken(`${kind}.rejected-not-confirmed`, 'an error alone', 'both', sent, confirmed, error)
}

/** Texts alone, and avatars of nothing but an id and instructions. */
function isPlain({ id, kind, value }: Member): boolean {
  if (id.trim() === '') return false
  if (kind === 'avatars') {
    const { instructions = '', visual, voice } = value
    return visual === undefined && voice === undefined && typeof instructions === 'string'
  }
  const text = textAt(value, 'text')
  const format = value['format'] ?? 'text'
  return (
    (kind === 'speech_text' || kind === 'visual_prompts') &&
    text !== undefined &&
    text.trim() !== '' &&
    format === 'text'
  )
}

/** All of it is whole, and its ids were refused before or never named: there is nothing to refuse it for. */
function judgeFree(book: Book, addition: Addition, say: Say<Own>): void {
  const { sent, members, confirmed, refused } = addition
  const ids = members.map(({ id }) => id)
  const before = ids.flatMap((id) => book.refused(id, sent.line))
  const isFree = (id: string): boolean => book.isFresh(id, sent.line) || book.refused(id, sent.line).length > 0
  if (before.length === 0 || before.some((one) => book.hasTaken(one)) || !ids.every(isFree)) return
  const row = `${book.kind}.free-after-rejection` as const
  if (confirmed !== undefined) say.held(row, sent, confirmed)
  if (!isRefusalOf(sent, refused)) return
  if (!isWhole(book, addition)) return
  if (!members.every(isPlain) && !isRefusedForGood(book, addition, ids)) return
  if (!members.every((member) => !isPlain(member) || isBeyondDoubt(book, member))) return
  const kinds = new Set(members.map(({ kind }) => kind))
  const control = book.additions.some((one) => isControl(one, sent.line, kinds))
  if (control && !isFull(book, sent, kinds))
    say.broken(row, `a confirmation: no ${ids.join(', ')} is registered`, 'an error', sent, refused)
}

/** What it says is taken under another id, and its own has nothing that may be refused: no bounds of these are given. */
function isBeyondDoubt(book: Book, { id, kind, value }: Member): boolean {
  const [field] = kind === 'avatars' ? ['instructions'] : ['text']
  const isAlike = (one: Member): boolean => one.kind === kind && one.value[field] === value[field]
  return /^[\w-]+$/u.test(id) && book.additions.some((one) => one.confirmed !== undefined && one.members.some(isAlike))
}

/** Nothing is wrong with any entry, and each has an id of its own. */
function isWhole(book: Book, { sent, members }: Addition): boolean {
  if (new Set(members.map(({ id }) => id)).size < members.length || entriesOf(sent) !== members.length) return false
  return members.every((member) => isPlain(member) || wasFetched(book, member, sent.line))
}

/** Media may not be had just then: what names some is refused twice, and not taken a moment later. */
function isRefusedForGood(book: Book, addition: Addition, ids: readonly string[]): boolean {
  const others = book.additions.filter((one) => one !== addition)
  const isTaken = others.some(({ confirmed, members }) => confirmed !== undefined && isOf(members, ids))
  return !isTaken && others.some((one) => isRefusedLike(book, one, ids))
}

const isOf = (members: readonly Member[], ids: readonly string[]): boolean =>
  members.length === ids.length && members.every(({ id }) => ids.includes(id))

/** An addition of these ids and of no others, as free of faults, refused as well. */
function isRefusedLike(book: Book, addition: Addition, ids: readonly string[]): boolean {
  const { sent, members, refused } = addition
  if (!isRefusalOf(sent, refused) || !isWhole(book, addition)) return false
  return isOf(members, ids)
}

/** An image or a sound from an address that was accepted before, under another id: nothing is wrong with it. */
function wasFetched(book: Book, { id, kind, value }: Member, line: number): boolean {
  const isAlike = (one: Member): boolean =>
    one.kind === kind && one.value['url'] === value['url'] && one.value['mime_type'] === value['mime_type']
  if (id.trim() === '' || (kind !== 'images' && kind !== 'audio')) return false
  return book.additions.some(({ confirmed, members }) => (confirmed?.line ?? line) < line && members.some(isAlike))
}

/** How much a session takes is not said: one that takes nothing more of one of these kinds is full. */
function isFull({ additions }: Book, { line }: SentEvent, kinds: ReadonlySet<string>): boolean {
  const later = additions.filter(({ confirmed }) => (confirmed?.line ?? 0) > line)
  const taken = new Set(later.flatMap(({ members }) => members.map(({ kind }) => kind)))
  return !kinds.isSubsetOf(taken)
}

/** The same kinds were accepted before. */
function isControl({ confirmed, members }: Addition, line: number, kinds: ReadonlySet<string>): boolean {
  return confirmed !== undefined && confirmed.line < line && kinds.isSubsetOf(new Set(members.map(({ kind }) => kind)))
}

/** All that stands in the lists of the event, whole or not. */
function entriesOf({ event, type }: SentEvent): number {
  const lists = type === 'avatar.add' ? [event['avatars']] : Object.values(objectAt(event, 'assets'))
  return lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : Number.NaN), 0)
}

/** What names it, where no other event of ours bears its id. */
function errorsFor(sent: SentEvent): readonly ReceivedEvent[] {
  const { session } = sent.connection
  if (sent.id === undefined || session.byId.get(sent.id)?.length !== 1) return []
  return errorsByCause(session).get(sent.id) ?? []
}

/** An update in text that names an avatar and nothing that could be wrong beside it. */
function judgeSelection(book: Book, update: Update, say: Say<Own>): void {
  const { session } = book
  const { sent, asked, errors, updated } = update
  if (session.create === undefined || isUnsure(update) || asked.avatar === undefined || asked.image !== undefined)
    return
  // What cannot be changed may be refused, and the avatar with it.
  if (namesImmutable(sent.event)) return
  const modes = timelineOf(session).modes(sent.line, sent.line)
  if ((asked.mode ?? 'text_chat') !== 'text_chat' || modes.size !== 1 || !modes.has('text_chat')) return
  const [error] = errors
  const [shown] = updated
  const taken = book.taken(asked.avatar, sent.line)
  if (taken === undefined) return judgeUnregistered(book, update, say)
  const row = selectionRow(book, update, taken.since)
  if (shown !== undefined && isDecided(shown)) {
    if (row !== undefined) say.held(row, sent, shown)
  } else if (isRefusalOf(sent, error)) {
    say.broken(
      row ?? 'session-update.active-avatar-applied',
      `${show(asked.avatar)} to be selected`,
      'an error',
      sent,
      error,
    )
  }
}

/** Where more was added since it was selected or given, and nobody reconnected, that is to blame. */
function selectionRow(book: Book, { sent, asked }: Update, since: number): Own | undefined {
  const { session } = book
  const good = updatesOf(session).updates.findLast(
    (one) => one.sent.line < sent.line && one.asked.avatar === asked.avatar && one.updated.length > 0,
  )
  const seen = good?.sent.line ?? (since === 0 ? 0 : undefined)
  const reconnected = session.connections.some(({ asked: { line } }) => seen !== undefined && line > seen && seen > 0)
  if (seen !== undefined && !reconnected && book.grew(seen, sent.line)) return 'avatar-add.additive'
  return since === 0 ? undefined : 'avatar-add.selectable'
}

/** An avatar that was only ever refused. */
function judgeUnregistered(book: Book, { sent, asked, errors, updated }: Update, say: Say<Own>): void {
  const id = asked.avatar ?? ''
  const [addition] = book.refused(id, sent.line)
  if (addition?.refused === undefined) return
  const row = refusedRow(book, addition, id)
  const [shown] = updated
  const [error] = errors
  if (row === undefined) return
  if (shown !== undefined && textAt(shownSession(shown), 'active_avatar_id') === id) {
    say.broken(row, 'no avatar that was refused', `${show(id)} is active`, addition.sent, addition.refused, sent, shown)
  } else if (shown === undefined && error !== undefined) say.held(row, addition.sent, addition.refused, sent, error)
}

/** By what the addition was refused for: an id that is taken, or an avatar without id or with its own before or behind it, or itself. */
function refusedRow(book: Book, addition: Addition, id: string): Own | undefined {
  if (book.hasTaken(addition)) return 'avatar-add.none-registered-beside-existing'
  const all = objectsAt(addition.sent.event, 'avatars')
  const place = all.findIndex((one) => one['avatar_id'] === id)
  const ids = all.map((one) => one['avatar_id'])
  const invalid = all.findIndex((one, at) => isInvalid(one) || ids.indexOf(one['avatar_id']) < at)
  if (place < 0 || invalid < 0) return undefined
  return `avatar-add.none-registered-${place > invalid ? 'after' : 'on'}-invalid`
}

/** Without an id, or with an image that has no URL (2.3). */
function isInvalid(avatar: Member['value']): boolean {
  const images = objectsAt(objectAt(avatar, 'visual'), 'source_images')
  return (textAt(avatar, 'avatar_id') ?? '') === '' || images.some((image) => (textAt(image, 'url') ?? '') === '')
}

/** A request to speak an asset and nothing else is refused, though the asset is surely registered. */
function judgeSpeech(book: Book, sent: SentEvent, say: Say<Own>): void {
  const { session } = book
  const response = objectAt(sent.event, 'response')
  const script = objectAt(response, 'script')
  const vocal = objectAt(script, 'vocal')
  const id = textAt(vocal, 'speech_text_asset_id')
  if (id === undefined || session.create === undefined || !isDecided(sent)) return
  if (vocal['type'] !== 'speech_asset' || Object.keys(vocal).length !== 2) return
  if (Object.keys(response).join() !== 'script' || Object.keys(script).join() !== 'vocal') return
  const taken = book.taken(id, sent.line)
  if (taken === undefined || taken.member.kind !== 'speech_text' || !isPlain(taken.member)) return
  const [error] = errorsFor(sent)
  const since = sent.connection.asked.line
  const reconnected = since > taken.since && session.connections.length > 1 && !speaksOlder(book, sent, since)
  const row = reconnected ? 'secret.reconnect-keeps-assets' : 'asset-add.additive'
  if (!reconnected && !book.grew(taken.since, sent.line)) return
  if (taken.since === 0 && reconnected) return
  const created = session.received.find(
    (one) =>
      one.type === 'response.created' && textAt(one.event, 'request_event_id') === sent.id && sent.id !== undefined,
  )
  if (created !== undefined) say.held(row, sent, created)
  else if (isRefusalOf(sent, error) && wasSpoken(book, textAt(taken.member.value, 'text'))) {
    say.broken(row, `speech of the asset ${show(id)}, which is registered`, 'an error', sent, error)
  }
}

/** The same text was spoken in this session: what is too long or not allowed may show no sooner than that. */
function wasSpoken({ session }: Book, text: string | undefined): boolean {
  return responsesOf(session).some(({ origin: { request } }) => text !== undefined && request?.texts?.includes(text))
}

/** On this connection another asset was spoken that was registered before it: the connection is not to blame. */
function speaksOlder(book: Book, sent: SentEvent, since: number): boolean {
  return sent.connection.sent.some((one) => {
    const id = textAt(objectAt(objectAt(objectAt(one.event, 'response'), 'script'), 'vocal'), 'speech_text_asset_id')
    if (id === undefined || one.line >= sent.line || (book.taken(id, one.line)?.since ?? since) >= since) return false
    return sent.connection.received.some(
      ({ type, event }) =>
        type === 'response.created' && one.id !== undefined && textAt(event, 'request_event_id') === one.id,
    )
  })
}
