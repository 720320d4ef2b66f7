import { show } from '#judge/show'
import type { JsonObject } from '#trace/json'
import { isTaken, itemOf, type Life, livesOf } from '../model/existence.ts'
import { type Ask, type Items, itemIdIn, itemsOf, sameContent, textOfItem } from '../model/items.ts'
import { responsesOf, squeezed } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import type { Request } from '../model/script.ts'
import { placeAfter } from '#trace/first-place'
import {
  between,
  type ChannelEvent,
  type ReceivedEvent,
  isDecided,
  objectAt,
  objectsAt,
  type Session,
  sessionsOf,
  patienceOf,
} from '../model/sessions.ts'
import { isAsker, isOverdue } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'item-create': 'confirmed confirmed-once rejected-not-confirmed content-kept',
  'item-created': 'once for-generated-output',
  item: 'id-unique',
  script: 'none-announces-no-item',
})

type Own = (typeof proves)[number]

/** `conversation.item.created`: each item once, as it was sent, by whoever made it (6.2). */
export const itemsCreated = ruleOf('items-created', proves, (trace, say) => {
  const patience = patienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const items = itemsOf(session)
    const announced = new Map<string, ReceivedEvent>()
    for (const received of session.received) {
      if (received.type === 'conversation.item.deleted') forget(announced, received)
      if (received.type !== 'conversation.item.created' || !isDecided(received)) continue
      judgeOnce(session, received, announced, say)
      const ask = items.answered.get(received)
      if (ask === undefined) judgeUnasked(items, received, say)
      else if (!isTaken(livesOf(session), ask)) judgeConfirmation(ask, received, say)
    }
    for (const ask of items.asks) judgeRefusal(session, ask, say)
    for (const response of responsesOf(session)) judgeOutput(response, livesOf(session), patience, say)
    judgeOwners(session, say)
  }
})

function keyOf(received: ReceivedEvent, id: string): string {
  return `${received.connection.channel} ${id}`
}

function forget(announced: Map<string, ReceivedEvent>, received: ReceivedEvent): void {
  announced.delete(keyOf(received, itemIdIn(received) ?? ''))
}

/** An id that we gave to several items is ours to answer for. */
function judgeOnce(
  session: Session,
  received: ReceivedEvent,
  announced: Map<string, ReceivedEvent>,
  say: Say<Own>,
): void {
  const id = itemIdIn(received)
  if (id === undefined || id === '') return
  const life = livesOf(session).get(id)
  const earlier = announced.get(keyOf(received, id))
  if (earlier === undefined) {
    announced.set(keyOf(received, id), received)
    say.held('item-created.once', received)
    if (announced.size > 1) say.held('item.id-unique', received)
    return
  }
  const creates = life?.creates.filter(({ sent }) => sent.line < received.line) ?? []
  if (creates.length > 1 || isDeleting(life, received)) return
  const other = isAnother(itemOf(earlier), itemOf(received))
  const ask = itemsOf(session).answered.get(earlier)
  if (other) say.broken('item.id-unique', 'an id of its own', show(itemOf(received)), earlier, received)
  else if (ask !== undefined)
    say.broken('item-create.confirmed-once', 'one confirmation', 'another one', ask.sent, earlier, received)
  else say.broken('item-created.once', 'one announcement', show(itemOf(received)), earlier, received)
}

function isDeleting(life: Life | undefined, received: ReceivedEvent): boolean {
  return (life?.deletes ?? []).some(({ sent }) => sent.line < received.line)
}

/** Another type, role or text; an item in progress has no text yet. */
function isAnother(one: ReturnType<typeof itemOf>, other: ReturnType<typeof itemOf>): boolean {
  if (one['type'] !== other['type'] || one['role'] !== other['role']) return true
  const texts = [textOfItem(one), textOfItem(other)] as const
  return !texts[1].startsWith(texts[0])
}

function judgeConfirmation(ask: Ask, received: ReceivedEvent, say: Say<Own>): void {
  const wanted = objectAt(ask.sent.event, 'item')
  say.held('item-create.confirmed', ask.sent, received)
  say.held('item-create.confirmed-once', ask.sent, received)
  const good = sameContent(wanted, itemOf(received))
  say.judge(
    'item-create.content-kept',
    good,
    () => show(wanted),
    () => show(itemOf(received)),
    ask.sent,
    received,
  )
  const kept = ask.item === undefined ? undefined : ask.item === itemIdIn(received)
  if (kept !== undefined) say.saw('item-create.client-id-kept', kept ? 'kept' : 'replaced', ask.sent, received)
}

/** What a model or a user never says: a message of the user or the system in writing, or the output of a function. */
function isOurs(item: ReturnType<typeof itemOf>): boolean {
  if (item['type'] === 'function_call_output') return true
  const spoken = JSON.stringify(item['content'] ?? null).includes('input_audio')
  return item['type'] === 'message' && (item['role'] === 'user' || item['role'] === 'system') && !spoken
}

/** An item of a response's input may be written, and told of. */
function isInput({ connection, line }: ReceivedEvent, item: JsonObject): boolean {
  return connection.session.sent.some(
    (sent) =>
      sent.line < line &&
      objectsAt(objectAt(sent.event, 'response'), 'input').some((input) => sameContent(input, item)),
  )
}

function judgeUnasked({ asks }: Items, received: ReceivedEvent, say: Say<Own>): void {
  const item = itemOf(received)
  if (!isOurs(item) || asks.some(({ sent }) => sent.connection !== received.connection)) return
  if (isInput(received, item)) return
  const alike = asks.filter((ask) => {
    return ask.kind === 'create' && ask.sent.line < received.line && sameContent(objectAt(ask.sent.event, 'item'), item)
  })
  if (alike.some(({ failed, sent }) => failed || wasSpeaking(sent, received))) return
  const refused = alike.find((ask) => ask.refused !== undefined && ask.refused.line < received.line)
  const confirmed = alike.find((ask) => ask.answers.some((answer) => itemIdIn(answer) !== itemIdIn(received)))
  if (refused?.refused !== undefined) {
    say.broken(
      'item-create.rejected-not-confirmed',
      'nothing after the error',
      show(item),
      refused.sent,
      refused.refused,
      received,
    )
  } else if (confirmed !== undefined) {
    say.broken(
      'item-create.confirmed-once',
      'one confirmation',
      'another one',
      confirmed.sent,
      ...confirmed.answers,
      received,
    )
  }
}

/** A user may say what he typed. */
function wasSpeaking({ line }: ChannelEvent, received: ReceivedEvent): boolean {
  return between(received.connection.session.received, line, received.line).some(
    ({ type }) => type?.startsWith('input_audio.') === true,
  )
}

/** A refusal counts beside an item that was created, and once something else came after it. */
function judgeRefusal(session: Session, ask: Ask, say: Say<Own>): void {
  const { kind, sent, refused, denied, answers } = ask
  if (kind === 'create' && denied !== undefined && isInOneBreath(ask) && !isSecondTry(session, ask)) {
    say.broken(
      'item-create.rejected-not-confirmed',
      'an error only',
      'a confirmation, too',
      sent,
      ...answers.slice(0, 1),
      denied,
    )
  }
  if (kind !== 'create' || refused === undefined || answers.length > 0) return
  const positiveControl = session.received.some(({ type }) => type === 'conversation.item.created')
  const later = (session.received.at(-1)?.line ?? 0) > refused.line
  if (positiveControl && later) say.held('item-create.rejected-not-confirmed', sent, refused)
}

/** The service failed over the same item before, so that both answers may be to different tries. */
function isSecondTry(session: Session, { item, sent }: Ask): boolean {
  const { creates = [] } = livesOf(session).get(item ?? '') ?? {}
  return creates.some((one) => one.failed && one.sent.line < sent.line)
}

/** The error is the next event after the confirmation, and nothing in the item could have failed to load meanwhile. */
function isInOneBreath({ sent, answers, denied }: Ask): boolean {
  const { received } = sent.connection
  const next = received[placeAfter(received, answers[0]?.line ?? 0)]
  return next !== undefined && next === denied && !/image_url|audio/.test(JSON.stringify(sent.event['item'] ?? null))
}

/** What a completed response writes to the conversation is announced, wherever that comes in its life. */
function judgeOutput(response: Response, lives: ReadonlyMap<string, Life>, patience: number, say: Say<Own>): void {
  const { request, by_itself } = response.origin
  const [done] = response.done
  if ((request ?? by_itself) === undefined || done === undefined || !isDecided(done)) return
  const finished = [...response.items.values()].filter(({ item_done }) => item_done.length > 0)
  for (const { id, item_done } of finished) {
    const { announced, creates = [] } = lives.get(id) ?? {}
    if (request?.conversation === 'none' && (request.kind === 'speech' || request.kind === 'speech_asset')) {
      const row = 'script.none-announces-no-item'
      say.judge(
        row,
        announced === undefined || creates.some(({ sent }) => sent.line < announced.line),
        'no item',
        () => show(announced && itemOf(announced)),
        request.sent,
        announced ?? done,
      )
    }
    if (!mayWrite(request) || objectAt(done.event, 'response')['status'] !== 'completed') continue
    const row = 'item-created.for-generated-output'
    const other = announced === undefined ? undefined : otherItem(announced, item_done[0], request)
    if (announced !== undefined && other !== undefined) {
      say.broken(row, `the ${other.name} ${show(other.wanted)}`, show(other.shown), ...item_done.slice(0, 1), announced)
    } else if (announced !== undefined) say.held(row, ...item_done.slice(0, 1), announced)
    else if (mustWrite(response) && isOverdue(done, patience)) {
      say.broken(
        row,
        'conversation.item.created of its item',
        `none within ${patience} ms`,
        ...item_done.slice(0, 1),
        done,
      )
    }
  }
}

function mayWrite(request: Request | undefined): boolean {
  if (request === undefined) return true
  return request.conversation === 'auto' && ['model', 'speech', 'speech_asset'].includes(request.kind)
}

/** That an opening is written to the conversation is not said. */
function mustWrite(response: Response): boolean {
  const { request, by_itself } = response.origin
  if (request === undefined) return by_itself === 'answer' && isAsker(response)
  return request.sent.connection === response.connection
}

/** Type, role or text of an item, where it is announced with others than it is finished with. Its text may not be whole by then. */
function otherItem(announced: ReceivedEvent, finished: ReceivedEvent | undefined, request: Request | undefined) {
  const [told, made] = [itemOf(announced), finished === undefined ? {} : itemOf(finished)]
  const name = (['type', 'role'] as const).find((field) => {
    return typeof told[field] === 'string' && typeof made[field] === 'string' && told[field] !== made[field]
  })
  if (name !== undefined) return { name, wanted: made[name], shown: told[name] }
  const [shown, wanted] = [textOfItem(told), textOfItem(made)]
  // Of markup one may show the source, and the other what is spoken.
  const isPlain = request === undefined || request.kind === 'model' || request.texts !== undefined
  return !isPlain || wanted === '' || squeezed(wanted).startsWith(squeezed(shown))
    ? undefined
    : { name: 'text', wanted, shown }
}

/** Two responses never put out one item. */
function judgeOwners(session: Session, say: Say<Own>): void {
  const owners = new Map<string, Response>()
  for (const response of responsesOf(session)) {
    if (response.guessed || response.id === undefined) continue
    for (const item of response.items.values()) {
      const owner = owners.get(item.id) ?? response
      owners.set(item.id, owner)
      const [end] = item.item_done
      const [other] = owner.items.get(item.id)?.item_done ?? []
      if (owner.id === response.id || end === undefined || other === undefined) continue
      say.broken('item.id-unique', 'an id of its own', `${show(item.id)} once more`, other, end)
    }
  }
}
