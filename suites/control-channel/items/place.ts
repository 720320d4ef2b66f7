import { absent, all, any, different, echoes, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import { type Json, type JsonObject, textAt } from '#trace/json'
import { userMessage } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { takesMore } from '../full.ts'
import { type Row } from '../rows.ts'
import { speak } from '../speech/speeches.ts'
import { claiming } from '../step.ts'
import type { Said, Talk } from '../talk.ts'
import { deleted, remove, retrieve, retrieved, seek } from './items.ts'
import { call, fromClient, output, type WriteOptions, writeItem } from './write.ts'

/** Items that stand where they were put: `last` is the last one of the conversation. */
interface Order {
  readonly last: string
  readonly some: string
}

async function append<R extends Row>(
  talk: Talk<R>,
  text: string,
  expect?: WriteOptions<R>['expect'],
): Promise<string | undefined> {
  return (await writeItem(talk, userMessage(text), expect === undefined ? {} : { expect })).id
}

/** An inserted item is not the last one: whatever is appended follows that, if it is said to follow anything. */
const appendAfter = claiming({ 'item-create': 'insertion-keeps-last' }).step(
  async (talk, inserted: string | undefined, last: string, confirmed: Condition) => {
    await append(talk, 'And one more.', (it) => {
      const kept = all(follows(it, last, null), followsNot(it, inserted ?? ''))
      return { 'item-create.insertion-keeps-last': given([confirmed, it.confirmed], kept) }
    })
  },
)

/** Nothing comes before it; an event may say so in any of these ways. */
const isFirst = (it: Said): Condition =>
  all(it.confirmed, any(follows(it, null, '', 'root'), equals(inEvent(it.answer, '/previous_item_id'), absent)))

/** "`root` = insert at start": also where nothing is there yet. */
export const insertIntoNothing = claiming({ 'item-create': 'root-inserts-at-start' }).step(async (talk) => {
  await writeItem(talk, userMessage('This is the first of all.'), {
    beside: { previous_item_id: 'root' },
    expect: (it) => ({
      'item-create.root-inserts-at-start': onlyIf(takesMore(talk, fromClient, it.confirmed), isFirst(it)),
    }),
  })
})

/** `root` puts it first, and what is appended next still follows the last one. */
const insertAtRoot = claiming({ 'item-create': 'root-inserts-at-start' }, appendAfter).step(
  async (talk, { last, some }: Order) => {
    const first = (it: Said) => all(isFirst(it), followsNot(it, last), followsNot(it, some))
    const beside = { previous_item_id: 'root' }
    // One of the system, before which others are put all the same.
    const content = [{ type: 'input_text', text: 'This comes before all.' }]
    const { id, confirmed } = await writeItem(
      talk,
      { type: 'message', role: 'system', content },
      {
        beside,
        expect: (it) => ({ 'item-create.root-inserts-at-start': first(it) }),
      },
    )
    await writeItem(talk, userMessage('This comes even before that.'), {
      beside,
      expect: (it) => ({
        'item-create.root-inserts-at-start': [first(it), given([confirmed, it.confirmed], followsNot(it, id ?? ''))],
      }),
    })
    await appendAfter(talk, id, last, confirmed)
  },
)

/** In the middle, and at the end by name. */
const insertAfter = claiming({ 'item-create': 'inserted-after-named' }, appendAfter).step(
  async (talk, { some }: Order) => {
    const last = await append(talk, 'This is the end now.')
    if (last === undefined) return
    const put = (text: string) =>
      writeItem(talk, userMessage(text), {
        beside: { previous_item_id: some },
        expect: (it) => ({ 'item-create.inserted-after-named': all(it.confirmed, follows(it, some)) }),
      })
    const { id: between, confirmed } = await put('This goes between.')
    await put('And this before that.')
    await appendAfter(talk, between, last, confirmed)
  },
)

/** A call and its output are put where they are to stand, like any other item. */
const insertCall = claiming({ 'item-create': 'root-inserts-at-start inserted-after-named' }).step(async (talk) => {
  const call_id = talk.context.id('call')
  const { id } = await writeItem(talk, call({ call_id }), {
    beside: { previous_item_id: 'root' },
    expect: (it) => ({ 'item-create.root-inserts-at-start': given(it.confirmed, isFirst(it)) }),
  })
  if (id === undefined) return
  await writeItem(talk, output(call_id), {
    beside: { previous_item_id: id },
    expect: (it) => ({ 'item-create.inserted-after-named': given(it.confirmed, follows(it, id)) }),
  })
})

/** An item of any kind may be the one that another is put behind. */
const insertBehindEach = claiming({ 'item-create': 'inserted-after-named' }).step(async (talk) => {
  const content = [{ type: 'input_text', text: 'Be kind.' }]
  for (const item of [{ type: 'message', role: 'system', content }, call()]) {
    const { id, confirmed } = await writeItem(talk, item)
    if (id === undefined || (await append(talk, 'And on.')) === undefined) continue
    await writeItem(talk, userMessage('This goes right behind it.'), {
      beside: { previous_item_id: id },
      expect: (it) => ({
        'item-create.inserted-after-named': given(confirmed, all(it.confirmed, follows(it, id))),
      }),
    })
  }
})

const deleteLast = claiming({ 'item-delete': 'last-item-moves' }).step(async (talk) => {
  const gone = await append(talk, 'Forget this.')
  if (gone === undefined) return
  const { confirmed } = await remove(talk, gone)
  await append(talk, 'Where were we?', (it) => ({
    'item-delete.last-item-moves': given([confirmed, it.confirmed], followsNot(it, gone)),
  }))
})

/** Inserts at the start, in the middle and at the end, as far as the confirmations tell. */
export const placeItems = claiming({}, insertAtRoot, insertAfter, insertBehindEach, insertCall, deleteLast).step(
  async (talk): Promise<void> => {
    const some = await append(talk, 'This is in the middle.')
    const last = await append(talk, 'This is the end.')
    if (some === undefined || last === undefined) {
      return talk.context.block('prerequisite', 'no items could be created')
    }
    await insertAtRoot(talk, { some, last })
    await insertAfter(talk, { some, last })
    await insertBehindEach(talk)
    await insertCall(talk)
    await deleteLast(talk)
  },
)

/**
 * Output follows what is left of the conversation, not what was deleted from its end. What was said is an item like any
 * other: others are put behind it, and it can be deleted.
 */
export const speakAfterDeletion = claiming(
  { 'item-create': 'inserted-after-named', 'item-delete': 'gone' },
  speak,
).step(async (talk) => {
  const forgotten = await append(talk, 'Forget this, too.')
  if (forgotten === undefined) return
  await remove(talk, forgotten)
  const { itemId } = await speak(talk, 'It is forgotten.')
  if (itemId === undefined) return
  const { confirmed: found } = await retrieve(talk, itemId)
  const last = await append(talk, 'Are you sure?')
  await writeItem(talk, userMessage('Is it?'), {
    beside: { previous_item_id: itemId },
    expect: (it) => ({
      'item-create.inserted-after-named': onlyIf(found, all(it.confirmed, follows(it, itemId))),
    }),
  })
  const { confirmed: gone } = await remove(talk, itemId, event(deleted, { '/item_id': itemId }))
  await seek(talk, itemId, last ?? '', ({ nothing, unseen }) => ({
    'item-delete.gone': onlyIf([found, gone], all(nothing, unseen)),
  }))
})

/** An id that is taken: an `error`, or no effect. */
export const keepDuplicate = claiming({ 'item-create': 'duplicate-id-keeps-item' }).step(async (talk) => {
  const text = 'I was here first.'
  const { id, confirmed } = await writeItem(talk, userMessage(text, { id: talk.context.id('item') }))
  if (id === undefined) return
  const item = userMessage('I came later.', { id })
  const other = event(retrieved, { '/item/id': id, '/item/content/0/text': { $not: text } })
  talk.expect({ 'item-create.duplicate-id-keeps-item': given(confirmed, talk.never(other, talk.coming)) })
  talk.send({ type: 'conversation.item.create', event_id: talk.context.id('duplicate'), item })
  await retrieve(talk, id, (it) => ({ 'item-create.duplicate-id-keeps-item': given(confirmed, it.confirmed) }))
})

/** The id of a deleted item may be given again; what is found under it then is the new item. */
export const reuseId = claiming({ 'item-retrieve': 'content' }).step(async (talk) => {
  const old = await writeItem(talk, userMessage('This was the old one.', { id: talk.context.id('item') }))
  if (old.id === undefined) return
  const gone = await remove(talk, old.id)
  const item = userMessage('This is the new one.', { id: old.id })
  const again = await writeItem(talk, item)
  if (again.id !== old.id) return
  await retrieve(talk, old.id, (it) => {
    const shown = all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(item)))
    return { 'item-retrieve.content': onlyIf([gone.confirmed, again.confirmed], shown) }
  })
})

/** Ids that differ in case alone are those of two items, where both are taken. */
export const tellCasesApart = claiming({ 'item-retrieve': 'right-item', 'item-delete': 'others-kept' }).step(
  async (talk) => {
    const small = talk.context.id('item')
    const items = [small, small.toUpperCase()].map((id) => ({ id, item: userMessage(`This is ${id}.`, { id }) }))
    const taken: Condition[] = []
    for (const { id, item } of items) {
      const written = await writeItem(talk, item)
      if (written.id !== id) return
      taken.push(written.confirmed)
    }
    for (const { id, item } of items) {
      await retrieve(talk, id, (it) => {
        const shown = all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(item)))
        return { 'item-retrieve.right-item': onlyIf(taken, shown) }
      })
    }
    const gone = await remove(talk, small.toUpperCase())
    await retrieve(talk, small, (it) => ({
      'item-delete.others-kept': onlyIf([...taken, gone.confirmed], it.confirmed),
    }))
  },
)

/** A function call that is deleted leaves its output where it is, unless that is said to be deleted, too; then it goes. */
export const keepOutput = claiming({ 'item-delete': 'others-kept gone' }).step(async (talk) => {
  const callId = talk.context.id('call')
  const called = await writeItem(talk, call({ call_id: callId }))
  const { id = '', confirmed } = await writeItem(talk, output(callId))
  if (called.id === undefined || id === '') return
  const silent = talk.never(event(deleted, { '/item_id': id }), talk.coming)
  const gone = await remove(talk, called.id, event(deleted, { '/item_id': called.id }))
  await retrieve(talk, id, (it) => ({
    'item-delete.others-kept': onlyIf([confirmed, gone.confirmed, silent], it.confirmed),
  }))
  const { id: last } = await writeItem(talk, userMessage('Never mind what came of it.'))
  if (last === undefined) return
  const { confirmed: removed } = await remove(talk, id, event(deleted, { '/item_id': id }))
  await seek(talk, id, last, ({ nothing, unseen }) => ({
    'item-delete.gone': onlyIf([confirmed, removed], all(nothing, unseen)),
  }))
})

/** An item that is refused, for its place or its role, is none: nothing is found under the id that it would have had. */
export const seekRefused = claiming({}).step(async (talk, known: string) => {
  const item = (): JsonObject => userMessage('Am I there?', { id: talk.context.id('item') })
  const nowhere = { previous_item_id: talk.context.id('no-item') }
  for (const [one, beside] of [[item(), nowhere] as const, [{ ...item(), role: 'narrator' }, {}] as const]) {
    const event_id = talk.context.id('item-create')
    const frame = talk.send({ type: 'conversation.item.create', event_id, item: one, ...beside })
    const reply = await talk.hearRefusal(event_id, frame, [event('conversation.item.created')], 'item')
    // Put at the end instead, or taken as it is, it exists.
    if (reply?.type === 'error') await seek(talk, textAt(one, '/id') ?? '', known, () => ({}))
  }
})

/** By whichever id it is shown, an item is found, whatever letters the client had in the one that it gave. */
export const nameFreely = claiming({ 'item-retrieve': 'answered' }).step(async (talk) => {
  const { id, confirmed } = await writeItem(
    talk,
    userMessage('I have an odd name.', { id: `${talk.context.id('item')}-zoë` }),
  )
  if (id === undefined) return
  await retrieve(talk, id, (it) => ({ 'item-retrieve.answered': onlyIf(confirmed, it.confirmed) }))
})

/** Deleting an item that never was: an `error`, or no effect. */
export const deleteUnknown = claiming({ 'item-delete': 'unknown-changes-nothing' }).step(async (talk) => {
  const kept: (readonly [string, Condition])[] = []
  for (const text of ['One stays.', 'Two stay.', 'Three stay.']) {
    const { id, confirmed } = await writeItem(talk, userMessage(text))
    if (id !== undefined) kept.push([id, confirmed])
  }
  const item_id = talk.context.id('unknown-item')
  talk.send({ type: 'conversation.item.delete', event_id: talk.context.id('item-delete'), item_id })
  for (const [id, confirmed] of kept) {
    await retrieve(talk, id, (it) => ({ 'item-delete.unknown-changes-nothing': given(confirmed, it.confirmed) }))
  }
})

/** The item that an event shows comes after this one, or nothing is said of its place. */
const follows = (said: Said, ...ids: readonly (string | null)[]): Condition =>
  equals(inEvent(said.answer, '/previous_item_id'), oneOf(...ids))

/** The item that an event shows does not come after this one. */
const followsNot = (said: Said, id: Json): Condition => different(inEvent(said.answer, '/previous_item_id'), value(id))
