import { absent, all, any, echoes, equals, event, inEvent, value } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import { userMessage } from '../bodies.ts'
import { remove, retrieve, retrieved, seek } from './items.ts'
import { call, follows, followsNot, output, type WriteOptions, writeItem } from './write.ts'
import { speak } from '../speech/speeches.ts'
import type { Said, Talk } from '../talk.ts'

/** Items that stand where they were put: `last` is the last one of the conversation. */
interface Order {
  readonly last: string
  readonly some: string
}

/** Inserts at the start, in the middle and at the end, as far as the confirmations tell. */
export async function placeItems(talk: Talk): Promise<void> {
  const some = await append(talk, 'This is in the middle.')
  const last = await append(talk, 'This is the end.')
  if (some === undefined || last === undefined) return talk.context.block('prerequisite', 'no items could be created')
  const order = { some, last }
  await insertAtRoot(talk, order)
  await insertAfter(talk, order)
  await deleteLast(talk)
}

async function append(talk: Talk, text: string, options: WriteOptions = {}): Promise<string | undefined> {
  return (await writeItem(talk, userMessage(text), options)).id
}

/** `root` puts it first, and what is appended next still follows the last one. */
async function insertAtRoot(talk: Talk, { last, some }: Order): Promise<void> {
  const write = (it: Said) => {
    const none = any(follows(it, null, 'root'), equals(inEvent(it.answer, '/previous_item_id'), absent))
    const nobody = all(it.confirmed, none, followsNot(it, last), followsNot(it, some))
    talk.claim('item-create.root-inserts-at-start', nobody)
  }
  const beside = { previous_item_id: 'root' }
  const { id: first, confirmed } = await writeItem(talk, userMessage('This comes before all.'), { beside, write })
  await writeItem(talk, userMessage('This comes even before that.'), {
    beside,
    rows: [],
    write: (it) => {
      write(it)
      talk.claim('item-create.root-inserts-at-start', followsNot(it, first ?? ''), { given: [confirmed, it.confirmed] })
    },
  })
  await appendAfter(talk, first, last, confirmed)
}

/** In the middle, and at the end by name. */
async function insertAfter(talk: Talk, { some }: Order): Promise<void> {
  const last = await append(talk, 'This is the end now.')
  if (last === undefined) return
  const write = (it: Said) => talk.claim('item-create.inserted-after-named', all(it.confirmed, follows(it, some)))
  const beside = { previous_item_id: some }
  const { id: between, confirmed } = await writeItem(talk, userMessage('This goes between.'), { beside, write })
  await writeItem(talk, userMessage('And this before that.'), { beside, write })
  await appendAfter(talk, between, last, confirmed)
}

/** An inserted item is not the last one: whatever is appended follows that, if it is said to follow anything. */
async function appendAfter(talk: Talk, inserted: string | undefined, last: string, given: Condition): Promise<void> {
  await append(talk, 'And one more.', {
    write: (it) => {
      const kept = all(follows(it, last, null), followsNot(it, inserted ?? ''))
      talk.claim('item-create.insertion-keeps-last', kept, { given: [given, it.confirmed] })
    },
  })
}

async function deleteLast(talk: Talk): Promise<void> {
  const gone = await append(talk, 'Forget this.')
  if (gone === undefined) return
  const { confirmed } = await remove(talk, gone)
  await append(talk, 'Where were we?', {
    write: (it) =>
      talk.claim('item-delete.last-item-moves', followsNot(it, gone), { given: [confirmed, it.confirmed] }),
  })
}

/** Output follows what is left of the conversation, not what was deleted from its end. */
export async function speakAfterDeletion(talk: Talk): Promise<void> {
  const gone = await append(talk, 'Forget this, too.')
  if (gone === undefined) return
  await remove(talk, gone)
  const { itemId } = await speak(talk, 'It is forgotten.')
  if (itemId !== undefined) await treatAsAny(talk, itemId)
}

/** What was said is an item like any other: others are put behind it, and it can be deleted. */
async function treatAsAny(talk: Talk, itemId: string): Promise<void> {
  const { confirmed: found } = await retrieve(talk, itemId)
  const last = await append(talk, 'Are you sure?')
  await writeItem(talk, userMessage('Is it?'), {
    beside: { previous_item_id: itemId },
    write: (it) =>
      talk.claim('item-create.inserted-after-named', all(it.confirmed, follows(it, itemId)), {
        given: [found],
        choice: true,
      }),
  })
  const { confirmed: gone } = await remove(talk, itemId, event('conversation.item.deleted', { '/item_id': itemId }))
  await seek(talk, itemId, last ?? '', ({ nothing, unseen }) => {
    talk.claim('item-delete.gone', all(nothing, unseen), { given: [found, gone], choice: true })
  })
}

/** An id that is taken: an `error`, or no effect. */
export async function keepDuplicate(talk: Talk): Promise<void> {
  const text = 'I was here first.'
  const { id, confirmed } = await writeItem(talk, userMessage(text, { id: talk.context.id('item') }))
  if (id === undefined) return
  const item = userMessage('I came later.', { id })
  const other = event(retrieved, { '/item/id': id, '/item/content/0/text': { $not: text } })
  const changed = talk.never(other, talk.coming)
  talk.claim('item-create.duplicate-id-keeps-item', changed, { given: [confirmed] })
  talk.send({ type: 'conversation.item.create', event_id: talk.context.id('duplicate'), item })
  await retrieve(talk, id, (it) => {
    talk.claim('item-create.duplicate-id-keeps-item', it.confirmed, { given: [confirmed] })
  })
}

/** The id of a deleted item may be given again; what is found under it then is the new item. */
export async function reuseId(talk: Talk): Promise<void> {
  const old = await writeItem(talk, userMessage('This was the old one.', { id: talk.context.id('item') }))
  if (old.id === undefined) return
  const deleted = await remove(talk, old.id)
  const item = userMessage('This is the new one.', { id: old.id })
  const again = await writeItem(talk, item)
  if (again.id !== old.id) return
  await retrieve(talk, old.id, (it) => {
    const shown = all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(item)))
    talk.claim('item-retrieve.content', shown, { given: [deleted.confirmed, again.confirmed], choice: true })
  })
}

/** A function call that is deleted leaves its output where it is, unless that is said to be deleted, too. */
export async function keepOutput(talk: Talk): Promise<void> {
  const callId = talk.context.id('call')
  const called = await writeItem(talk, call({ call_id: callId }))
  const { id = '', confirmed } = await writeItem(talk, output(callId))
  if (called.id === undefined || id === '') return
  const silent = talk.never(event('conversation.item.deleted', { '/item_id': id }), talk.coming)
  const deleted = await remove(talk, called.id, event('conversation.item.deleted', { '/item_id': called.id }))
  await retrieve(talk, id, (it) => {
    const given = [confirmed, deleted.confirmed, silent]
    talk.claim('item-delete.others-kept', it.confirmed, { given, choice: true })
  })
}

/** Deleting an item that never was: an `error`, or no effect. */
export async function deleteUnknown(talk: Talk): Promise<void> {
  const kept: (readonly [string, Condition])[] = []
  for (const text of ['One stays.', 'Two stay.', 'Three stay.']) {
    const { id, confirmed } = await writeItem(talk, userMessage(text))
    if (id !== undefined) kept.push([id, confirmed])
  }
  const item_id = talk.context.id('unknown-item')
  talk.send({ type: 'conversation.item.delete', event_id: talk.context.id('item-delete'), item_id })
  for (const [id, confirmed] of kept) {
    await retrieve(talk, id, (it) => {
      talk.claim('item-delete.unknown-changes-nothing', it.confirmed, { given: [confirmed] })
    })
  }
}
