import { EventRefusal } from '../refusal.ts'
import { begin } from '../responses/life.ts'
import { planResponse } from '../responses/plan.ts'
import type { Service } from '../service.ts'
import { textOf, type JsonObject, objectAt } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { answerEvent } from './emit.ts'
import { hold } from './hold.ts'

/** 4.4 `conversation.item.create`. */
export function createItem(service: Service, connection: Connection, event: JsonObject): void {
  const { validations, limits, conversation, ids } = service.behaviour
  const { session } = connection
  const { items } = session
  const given = objectAt(event, 'item')
  const input = { event, items: [given], stored: items, limits }
  try {
    hold(validations.itemCreate, input)
    hold(validations.items, input)
  } catch (error) {
    conversation.onRefused(given, items)
    if (conversation.confirmsRefused)
      answerEvent(service, connection, 'conversation.item.created', { previousItemId: null, item: given })
    throw error
  }
  if (conversation.ignores(given, items)) return
  const standing = conversation.standing(given, items)
  if (standing !== undefined) {
    const previousItemId = conversation.announcedPrevious(items, items.indexOf(standing), undefined)
    answerEvent(service, connection, 'conversation.item.created', { previousItemId, item: standing })
    return
  }
  const item = conversation.stored(given, textOf(given['id']) ?? ids.item(service.random, session))
  const asked = event['previous_item_id'] ?? undefined
  const index = conversation.position(asked, items)
  const previousItemId = conversation.announcedPrevious(items, index, asked)
  if (conversation.stores(item, items)) items.splice(index, 0, item)
  answerEvent(service, connection, 'conversation.item.created', { previousItemId, item })
  if (conversation.answers(item, session)) begin(service, session, planResponse(service, session, {}), 'idle')
}

/** "`conversation.item.retrieved` if the item exists." */
export function retrieveItem(service: Service, connection: Connection, event: JsonObject): void {
  const { validations, limits, conversation } = service.behaviour
  const { items } = connection.session
  hold(validations.itemRetrieve, { event, items: [], stored: items, limits })
  const item = conversation.find(items, event['item_id'])
  if (item === undefined) throw new EventRefusal('no such item', { code: 'item_not_found', param: 'item_id' })
  answerEvent(service, connection, 'conversation.item.retrieved', { item })
}

export function deleteItem(service: Service, connection: Connection, event: JsonObject): void {
  const { validations, limits, conversation } = service.behaviour
  const { items } = connection.session
  try {
    hold(validations.itemDelete, { event, items: [], stored: items, limits })
  } catch (error) {
    conversation.onRefusedDelete(items)
    throw error
  }
  conversation.remove(items, event['item_id'])
  answerEvent(service, connection, 'conversation.item.deleted', { itemId: textOf(event['item_id']) ?? '' })
}
