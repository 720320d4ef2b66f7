import { readOnce } from '#judge/read-once'
import { show } from '#judge/show'
import { existenceOf, isOutOfBand, isOfAnother, isSettled, itemOf, type Life, livesOf } from '../model/existence.ts'
import { type Ask, itemIdIn, itemsOf, losesTranscript, sameContent, textOfItem, type Unasked } from '../model/items.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { placeAfter } from '#trace/first-place'
import {
  type ReceivedEvent,
  isDecided,
  objectAt,
  type ChannelEvent,
  type Session,
  sessionsOf,
  patienceOf,
} from '../model/sessions.ts'
import { isOverdue } from '../model/watch.ts'
import { writtenRow } from './written.ts'
import { isDeletedBesides } from './deleted-besides.ts'
import { judgeGenerated } from './generated.ts'
import { type AskedRow, askedRows } from './asked-rows.ts'

/** What retrieves and deletes bring to light (4.4). */
export const itemsAsked = ruleOf('items-asked', askedRows, (trace, say) => {
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const { asks, unasked } = itemsOf(session)
    const foreign = (id: string): boolean => isOfAnother(trace, session, id)
    const shown = new Set<string>()
    for (const ask of asks) {
      if (ask.kind === 'retrieve') judgeRetrieve(session, ask, { patience, foreign, shown }, say)
      if (ask.kind === 'delete') judgeDelete(session, ask, patience, say)
    }
    for (const one of unasked) if (isDecided(one.received)) judgeUnasked(session, one, say)
  }
})

interface Setting {
  readonly patience: number
  /** Whether another session knows an item id. */
  readonly foreign: (id: string) => boolean
  /** Items that were retrieved before. */
  readonly shown: Set<string>
}

function judgeRetrieve(session: Session, ask: Ask, setting: Setting, say: Say<AskedRow>): void {
  const answer = ask.answers.find((received) => received.connection === ask.sent.connection) ?? ask.answers[0]
  const existence = existenceOf(session, ask)
  if (answer !== undefined) {
    if (!isDecided(answer)) return
    say.held('item-retrieve.right-item', ask.sent, answer)
    say.held('item-retrieve.once', ask.sent, answer)
    if (existence === 'gone') {
      for (const row of goneRows(session, ask))
        say.broken(row, 'no deleted item', show(itemOf(answer)), ask.sent, answer)
    } else if (existence === 'never') blameUnknown(ask, answer, setting, say)
    else judgeFound(session, ask, answer, existence === 'exists', setting, say)
    return
  }
  if (!isRefusedOrSilent(ask, setting.patience)) return
  const places = ask.refused === undefined ? [ask.sent] : [ask.sent, ask.refused]
  if (existence === 'exists') judgeMissing(session, ask, setting, say)
  else if (existence === 'unclear') judgeUnwritten(session, ask, setting.shown.size > 0, places, say)
  else if (existence === 'gone') for (const row of goneRows(session, ask)) say.held(row, ...places)
  else if (setting.shown.size > 0) {
    say.held(
      setting.foreign(ask.item ?? '') ? 'isolation.items-not-shared' : 'item-retrieve.unknown-not-retrieved',
      ...places,
    )
  }
}

/** Where another connection deleted it while this one was open, that is shared, too. */
function goneRows(session: Session, { item, sent }: Ask): readonly ('item-delete.gone' | 'connections.state-shared')[] {
  const { deletes = [] } = livesOf(session).get(item ?? '') ?? {}
  const elsewhere = deletes.every(
    (one) => one.sent.connection !== sent.connection && one.sent.line > sent.connection.asked.line,
  )
  return elsewhere ? ['item-delete.gone', 'connections.state-shared'] : ['item-delete.gone']
}

/** Output of a completed response that was not found, and announced out of band at most. */
function judgeUnwritten(
  session: Session,
  ask: Ask,
  positiveControl: boolean,
  places: readonly ChannelEvent[],
  say: Say<AskedRow>,
): void {
  const life = livesOf(session).get(ask.item ?? '')
  if (life?.response === undefined || (life.announced !== undefined && !isOutOfBand(life.response))) return
  const end = ask.refused?.line ?? Number.POSITIVE_INFINITY
  if (life.deletes.some(({ sent }) => sent.line < end)) return
  const row = writtenRow(life.response)
  if (row === undefined || !isSettled(life, ask.sent.line)) return
  if (!row.forbids) say.broken(row.row, 'an item that can be retrieved', 'none', ...places)
  else if (positiveControl) say.held(row.row, ...places)
}

function blameUnknown({ sent, item }: Ask, answer: ReceivedEvent, { foreign }: Setting, say: Say<AskedRow>): void {
  const row = foreign(item ?? '') ? 'isolation.items-not-shared' : 'item-retrieve.unknown-not-retrieved'
  say.broken(row, 'no item that this session never had', show(itemOf(answer)), sent, answer)
}

function judgeFound(
  session: Session,
  ask: Ask,
  answer: ReceivedEvent,
  sure: boolean,
  setting: Setting,
  say: Say<AskedRow>,
): void {
  const life = livesOf(session).get(ask.item ?? '')
  const { response } = life ?? {}
  if (sure) {
    say.held('item-retrieve.answered', ask.sent, answer)
    if (setting.shown.has(ask.item ?? '')) say.held('item-retrieve.changes-nothing', ask.sent, answer)
    if (hadOthersDeleted(session, ask)) say.held('item-delete.others-kept', ask.sent, answer)
    if (deletedInVain(session, ask)) say.held('item-delete.unknown-changes-nothing', ask.sent, answer)
    if (isOlder(session, ask)) say.held('secret.reconnect-keeps-conversation', ask.sent, answer)
  }
  setting.shown.add(ask.item ?? '')
  if (response === undefined) judgeOwnContent(session, ask, answer, say)
  else {
    const row = writtenRow(response)
    // Output that is not written leaves its id to whoever brings an item under it.
    const isOurs = life?.creates.some((one) => one.sent.line < answer.line && one.refused === undefined) === true
    if (row?.forbids === true && isOurs) return
    if (row?.forbids === true)
      say.broken(row.row, 'an item that was not written', show(itemOf(answer)), ask.sent, answer)
    else judgeGenerated(session, ask, answer, sure ? row?.row : undefined, say)
  }
}

const deletionsIn = readOnce((session: Session): readonly ReceivedEvent[] =>
  session.received.filter(({ type }) => type === 'conversation.item.deleted'),
)

/** A delete of another item was confirmed while this one existed. */
function hadOthersDeleted(session: Session, ask: Ask): boolean {
  const since = livesOf(session).get(ask.item ?? '')?.announced?.line ?? Number.POSITIVE_INFINITY
  const deleted = deletionsIn(session)
  const last = deleted[placeAfter(deleted, ask.sent.line) - 1]
  return last !== undefined && last.line > since
}

/** An item of ours has the content with which it was created. */
function judgeOwnContent(session: Session, ask: Ask, answer: ReceivedEvent, say: Say<AskedRow>): void {
  const life = livesOf(session).get(ask.item ?? '')
  if (life === undefined || mayBeAnother(life, answer)) return
  if (life.deleted.some(({ line }) => line < answer.line)) {
    const create = broughtBack(life, ask, answer)
    const [told] = create?.answers ?? []
    if (create === undefined || told === undefined) return
    const wanted = objectAt(create.sent.event, 'item')
    const good = sameContent(wanted, itemOf(answer))
    say.judge('item-retrieve.content', good, show(wanted), () => show(itemOf(answer)), told, ask.sent, answer)
    return
  }
  const { announced } = life
  if (announced === undefined) return
  const original = itemsOf(session).answered.get(announced)
  const wanted = original === undefined ? itemOf(announced) : objectAt(original.sent.event, 'item')
  if (original === undefined && textOfItem(wanted) === '') return
  const good = sameContent(wanted, itemOf(answer)) && !losesTranscript(itemOf(announced), itemOf(answer))
  const again = life.creates.filter((one) => one !== original && one.sent.line < answer.line)
  if (!good && again.some((one) => sameContent(objectAt(one.sent.event, 'item'), itemOf(answer)))) {
    say.broken('item-create.duplicate-id-keeps-item', show(wanted), show(itemOf(answer)), announced, ask.sent, answer)
    return
  }
  if (good && again.length > 0) say.held('item-create.duplicate-id-keeps-item', announced, answer)
  say.judge(
    'item-retrieve.content',
    good,
    () => show(wanted),
    () => show(itemOf(answer)),
    announced,
    ask.sent,
    answer,
  )
  if (good) say.held('item-create.stored', announced, answer)
}

/** It was given again after a delete of which nobody knows what became: the service failed over it, or its answer was lost. */
function mayBeAnother({ creates, deletes }: Life, { line }: ReceivedEvent): boolean {
  const isOpen = ({ answers, refused, failed }: Ask): boolean =>
    answers.length === 0 && (failed || refused === undefined)
  return deletes.some((one) => isOpen(one) && creates.some(({ sent }) => sent.line > one.sent.line && sent.line < line))
}

/**
 * The create that brought the id of a deleted item again: the only one behind a deletion that was over by then, confirmed
 * under this id before it was asked for, with nothing on its way that may delete it.
 */
function broughtBack({ creates, deletes, deleted }: Life, ask: Ask, answer: ReceivedEvent): Ask | undefined {
  const over = deleted.findLast(({ line }) => line < answer.line)?.line ?? Infinity
  const [create, ...others] = creates.filter((one) => one.sent.line > over && one.sent.line < answer.line)
  const told = create?.answers[0]
  if (create === undefined || told === undefined || others.length > 0) return undefined
  if (told.line > ask.sent.line || itemIdIn(told) !== ask.item || create.denied !== undefined) return undefined
  const isSettledBefore = (one: Ask): boolean =>
    (one.answers[0]?.line ?? one.refused?.line ?? Infinity) < create.sent.line
  return deletes.filter(({ sent }) => sent.line < answer.line).every(isSettledBefore) ? create : undefined
}

function judgeMissing(session: Session, ask: Ask, { patience, shown }: Setting, say: Say<AskedRow>): void {
  const { response } = livesOf(session).get(ask.item ?? '') ?? {}
  const got = ask.refused === undefined ? `nothing within ${patience} ms` : show(ask.refused.event['error'])
  const row = response === undefined ? 'item-retrieve.answered' : 'item-retrieve.generated-item'
  say.broken(
    row,
    `conversation.item.retrieved of ${ask.item}`,
    got,
    ask.sent,
    ...(ask.refused === undefined ? [] : [ask.refused]),
  )
  if (shown.has(ask.item ?? '') && !hadOthersDeleted(session, ask)) {
    say.broken('item-retrieve.changes-nothing', 'the item once more', got, ask.sent)
  }
  const written = response === undefined ? undefined : writtenRow(response)
  if (written?.forbids === false) say.broken(written.row, 'an item that can be retrieved', got, ask.sent)
  if (hadOthersDeleted(session, ask)) say.broken('item-delete.others-kept', 'the item', got, ask.sent)
  if (response === undefined && !shown.has(ask.item ?? '')) say.broken('item-create.stored', 'the item', got, ask.sent)
  const vain = deletedInVain(session, ask)
  if (vain !== undefined) say.broken('item-delete.unknown-changes-nothing', 'the item', got, vain.sent, ask.sent)
  if (isOlder(session, ask)) say.broken('secret.reconnect-keeps-conversation', 'the item of before', got, ask.sent)
}

/** The last delete while the item existed was of one that there was not any more, or never. */
function deletedInVain(session: Session, ask: Ask): Ask | undefined {
  const since = livesOf(session).get(ask.item ?? '')?.announced?.line ?? Number.POSITIVE_INFINITY
  const last = itemsOf(session).asks.findLast(
    ({ kind, sent }) => kind === 'delete' && sent.line > since && sent.line < ask.sent.line,
  )
  const vain = last !== undefined && ['gone', 'never'].includes(existenceOf(session, last))
  return vain ? last : undefined
}

/** It was announced before the connection was asked for on which it is looked for first. */
function isOlder(session: Session, { item, sent }: Ask): boolean {
  const announced = livesOf(session).get(item ?? '')?.announced?.line ?? Number.POSITIVE_INFINITY
  if (announced > sent.connection.asked.line) return false
  const later = deletionsIn(session)
  return later.every(({ line }) => line < sent.connection.asked.line || line > sent.line)
}

/** An `error` that names it came, or nothing although we waited. The answer may go to another connection that is open. */
function isRefusedOrSilent({ sent, refused, failed }: Ask, patience: number): boolean {
  if (failed) return false
  if (refused !== undefined) return isDecided(refused)
  const { connections } = sent.connection.session
  const others = connections.filter((one) => one !== sent.connection)
  const beside = others.some(({ opened, until }) => opened.line < sent.line && until.line > sent.line)
  return !beside && isOverdue(sent, patience)
}

function judgeDelete(session: Session, ask: Ask, patience: number, say: Say<AskedRow>): void {
  const [answer] = ask.answers
  if (answer !== undefined) {
    if (!isDecided(answer)) return
    say.held('item-delete.once', ask.sent, answer)
    if (existenceOf(session, ask) === 'exists') say.held('item-delete.answered', ask.sent, answer)
    return
  }
  if (existenceOf(session, ask) !== 'exists' || !isRefusedOrSilent(ask, patience)) return
  const got = ask.refused === undefined ? `nothing within ${patience} ms` : show(ask.refused.event['error'])
  say.broken('item-delete.answered', `conversation.item.deleted of ${ask.item}`, got, ask.sent)
}

/** Answers that fit nothing we asked for. Another connection may have asked before, and who learns of it is not said. */
function judgeUnasked(session: Session, { received, kind, id, waiting }: Unasked, say: Say<AskedRow>): void {
  const { connection, line } = received
  const others = itemsOf(session).asks.some(({ sent }) => sent.connection !== connection && sent.line < line)
  if (kind === 'create' || others || (kind === 'delete' && isDeletedBesides(session, received, id, waiting))) return
  const [ask] = waiting
  if (ask !== undefined) {
    const row = kind === 'retrieve' ? 'item-retrieve.right-item' : 'item-deleted.item-id'
    say.broken(row, show(ask.item), show(id), ask.sent, received)
    return
  }
  const row = kind === 'retrieve' ? 'item-retrieve.once' : 'item-delete.once'
  say.broken(row, 'one answer', `${show(id)} once more`, received)
}
