import type { Condition } from '#trace/claim'
import { all, different, echoes, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { Json } from '#trace/json'
import { textChat, userMessage } from '../bodies.ts'
import { given } from '../expectation.ts'
import { refusing } from '../refusals.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { claiming, ofOneSession } from '../step.ts'
import type { Said } from '../talk.ts'
import { created, deleted, type Made, makeItem, remove, retrieve, retrieved, seek } from './items.ts'

/** Place of the item that is retrieved only once, and deleted then. */
const once = 1

/** Appends a message of the user; the last item is known, since nothing else writes. */
const append = claiming({
  'item-create': ['confirmed confirmed-once user-text-accepted content-kept appended-when-omitted appended-names-last'],
  'item-created': 'previous-item-known',
}).step(async (talk, text: string, earlier: readonly Made[]): Promise<Made> => {
  const last = earlier.at(-1)?.id
  const item = userMessage(text, earlier.length === 0 ? { id: talk.context.id('item') } : {})
  const made = await makeItem(talk, item, (it) => {
    const previous = inEvent(it.answer, '/previous_item_id')
    return {
      'item-create.confirmed': it.confirmed,
      'item-create.user-text-accepted': it.confirmed,
      'item-create.content-kept': shows(it, text),
      'item-created.previous-item-known': last === undefined ? different(previous, value('root')) : undefined,
      'item-create.appended-when-omitted': last === undefined ? undefined : equals(previous, oneOf(last, null, '')),
      'item-create.appended-names-last': last === undefined ? undefined : equals(previous, value(last)),
    }
  })
  if (made.id !== undefined) {
    const again = event(created, { '/item/id': made.id })
    talk.claim('item-create.confirmed-once', talk.never(again, { event: made.answer }))
  }
  return made
})

/** The event shows a message of the user with just this text. */
function shows(it: Said, text: string): Condition {
  const wanted: Json = userMessage(text)
  return all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(wanted)))
}

const retrieveAll = claiming({ 'item-retrieve': 'answered right-item content once', 'item-create': 'stored' }).step(
  async (talk, made: readonly Made[], texts: readonly string[]) => {
    for (const [place, { id = '', confirmed }] of made.entries()) {
      const text = texts[place] ?? ''
      await retrieve(talk, id, (it) => {
        const any = talk.event(event(retrieved), it.at)
        const again = talk.never(event(retrieved, { '/item/id': id }), { event: any })
        return {
          'item-retrieve.answered': given(confirmed, it.confirmed),
          'item-create.stored': given(confirmed, shows(it, text)),
          'item-retrieve.right-item': given(confirmed, equals(inEvent(any, '/item/id'), value(id))),
          'item-retrieve.content': given(confirmed, echoes(inEvent(any, '/item'), value(userMessage(text)))),
          'item-retrieve.once': place === once ? again : undefined,
        }
      })
    }
  },
)

const seekUnknown = claiming({ 'item-retrieve': 'unknown-not-retrieved' }).step(async (talk, existing: string) => {
  await seek(talk, talk.context.id('unknown-item'), existing, ({ nothing, unseen }) => ({
    'item-retrieve.unknown-not-retrieved': [nothing, unseen],
  }))
})

const refuseNoItem = claiming({ 'item-create': 'item-missing-rejected' }).step(async (talk, { confirmed }: Made) => {
  const message = { type: 'conversation.item.create', event_id: talk.context.id('faulty-item') }
  await talk.fault(message, ({ rejected }) => ({ 'item-create.item-missing-rejected': given(confirmed, rejected) }))
})

const removeOne = claiming({ 'item-delete': 'answered once gone others-kept', 'item-deleted': 'item-id' }).step(
  async (talk, itemId: string, others: readonly string[]) => {
    await remove(talk, itemId, event(deleted), (it) => ({
      'item-delete.answered': it.confirmed,
      'item-deleted.item-id': equals(inEvent(it.answer, '/item_id'), value(itemId)),
      'item-delete.once': talk.never(event(deleted, { '/item_id': itemId }), { event: it.answer }),
    }))
    await seek(talk, itemId, others[0] ?? '', ({ nothing, unseen }) => ({ 'item-delete.gone': [nothing, unseen] }))
    for (const other of others) {
      await retrieve(talk, other, (it) => ({ 'item-delete.others-kept': it.confirmed }))
    }
  },
)

/** Items that a client creates, retrieves and deletes. */
export const itemsBasic = ofOneSession({
  id: 'control-channel.items-basic',
  steps: [append, retrieveAll, seekUnknown, refuseNoItem, removeOne, refusing, asking],
  observes: rows({
    item: [
      'id-nonempty id-unique type-in-set status-in-set message-role-in-set message-content-array part-type-in-set',
      'part-text-string',
    ],
    'item-created': 'previous-item-id-nullable item-object once',
    'item-retrieved': 'item-object',
  }),
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    await warmUp(talk)
    const texts = ['The first thing I said.', 'The second thing I said.', 'The third thing I said.']
    const made: Made[] = []
    for (const text of texts) made.push(await append(talk, text, made))
    const [first, second, third] = made
    if (first?.id === undefined || second?.id === undefined || third?.id === undefined) {
      return scene.context.block('prerequisite', 'no items could be created')
    }
    await retrieveAll(talk, made, texts)
    await seekUnknown(talk, first.id)
    await refuseNoItem(talk, first)
    await removeOne(talk, second.id, [first.id, third.id])
    await talk.leave()
  },
})
