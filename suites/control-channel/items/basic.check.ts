import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { all, different, echoes, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { Json } from '#trace/json'
import { textChat, userMessage } from '../bodies.ts'
import { created, type Made, makeItem, remove, retrieve, retrieved, seek } from './items.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { type Said, Talk } from '../talk.ts'

const deleted = 'conversation.item.deleted'

/** Place of the item that is retrieved only once, and deleted then. */
const once = 1

/** Items that a client creates, retrieves and deletes. */
export const itemsBasic: Scenario = {
  id: 'control-channel.items-basic',
  proves: rows(
    'response-created.request-event-id-names-request',
    'item.id-nonempty',
    'item.id-unique',
    'item.type-in-set',
    'item.status-in-set',
    'item.message-role-in-set',
    'item.message-content-array',
    'item.part-type-in-set',
    'item.part-text-string',
    'item-create.user-text-accepted',
    'item-create.item-missing-rejected',
    'item-create.confirmed',
    'item-create.confirmed-once',
    'item-create.content-kept',
    'item-create.stored',
    'item-create.appended-when-omitted',
    'item-create.appended-names-last',
    'item-created.previous-item-id-nullable',
    'item-created.item-object',
    'item-created.previous-item-known',
    'item-created.once',
    'item-retrieve.answered',
    'item-retrieve.right-item',
    'item-retrieve.content',
    'item-retrieve.once',
    'item-retrieve.unknown-not-retrieved',
    'item-retrieved.item-object',
    'item-delete.answered',
    'item-delete.gone',
    'item-delete.others-kept',
    'item-delete.once',
    'item-deleted.item-id',
    'error.event-id-names-cause',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const texts = ['The first thing I said.', 'The second thing I said.', 'The third thing I said.']
    const made: Made[] = []
    for (const text of texts) made.push(await append(talk, text, made))
    const [first, second, third] = made
    if (first?.id === undefined || second?.id === undefined || third?.id === undefined) {
      return context.block('prerequisite', 'no items could be created')
    }
    await retrieveAll(talk, made, texts)
    await seekUnknown(talk, first.id)
    await refuseNoItem(talk, first)
    await removeOne(talk, second.id, [first.id, third.id])
    await talk.leave()
  },
}

/** Appends a message of the user; the last item is known, since nothing else writes. */
async function append(talk: Talk, text: string, before: readonly Made[]): Promise<Made> {
  const last = before.at(-1)?.id
  const given = before.length === 0 ? { id: talk.context.id('item') } : {}
  const item = userMessage(text, given)
  const made = await makeItem(talk, item, (it) => {
    talk.claim(['item-create.confirmed', 'item-create.user-text-accepted'], it.confirmed)
    talk.claim('item-create.content-kept', shows(it, text))
    claimPlace(talk, it, last)
  })
  if (made.id !== undefined) {
    const again = event(created, { '/item/id': made.id })
    talk.claim('item-create.confirmed-once', talk.never(again, { event: made.answer }))
  }
  return made
}

function claimPlace(talk: Talk, it: Said, last: string | undefined): void {
  const previous = inEvent(it.answer, '/previous_item_id')
  if (last === undefined) {
    talk.claim('item-created.previous-item-known', different(previous, value('root')))
    return
  }
  talk.claim('item-create.appended-when-omitted', equals(previous, oneOf(last, null)))
  talk.claim('item-create.appended-names-last', equals(previous, value(last)))
}

/** The event shows a message of the user with just this text. */
function shows(it: Said, text: string): Condition {
  const wanted: Json = userMessage(text)
  return all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(wanted)))
}

async function retrieveAll(talk: Talk, made: readonly Made[], texts: readonly string[]): Promise<void> {
  for (const [place, { id = '', confirmed }] of made.entries()) {
    const text = texts[place] ?? ''
    await retrieve(talk, id, (it) => {
      const given = { given: [confirmed] }
      talk.claim('item-retrieve.answered', it.confirmed, given)
      talk.claim('item-create.stored', shows(it, text), given)
      const any = talk.event(event(retrieved), it.at)
      talk.claim('item-retrieve.right-item', equals(inEvent(any, '/item/id'), value(id)), given)
      talk.claim('item-retrieve.content', echoes(inEvent(any, '/item'), value(userMessage(text))), given)
      if (place === once) {
        talk.claim('item-retrieve.once', talk.never(event(retrieved, { '/item/id': id }), { event: any }))
      }
    })
  }
}

async function seekUnknown(talk: Talk, existing: string): Promise<void> {
  await seek(talk, talk.context.id('unknown-item'), existing, ({ nothing, unseen }) => {
    talk.claim('item-retrieve.unknown-not-retrieved', nothing)
    talk.claim('item-retrieve.unknown-not-retrieved', unseen)
  })
}

async function refuseNoItem(talk: Talk, twin: Made): Promise<void> {
  const id = talk.context.id('faulty-item')
  await talk.fault({ type: 'conversation.item.create', event_id: id }, (it) => {
    talk.claim('item-create.item-missing-rejected', it.rejected, { given: [twin.confirmed] })
  })
}

async function removeOne(talk: Talk, itemId: string, others: readonly string[]): Promise<void> {
  await remove(talk, itemId, event(deleted), (it) => {
    talk.claim('item-delete.answered', it.confirmed)
    talk.claim('item-deleted.item-id', equals(inEvent(it.answer, '/item_id'), value(itemId)))
    talk.claim('item-delete.once', talk.never(event(deleted, { '/item_id': itemId }), { event: it.answer }))
  })
  await seek(talk, itemId, others[0] ?? '', ({ nothing, unseen }) => {
    talk.claim('item-delete.gone', nothing)
    talk.claim('item-delete.gone', unseen)
  })
  for (const other of others) {
    await retrieve(talk, other, (it) => talk.claim('item-delete.others-kept', it.confirmed))
  }
}
