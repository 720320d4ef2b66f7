import { EventRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { textOf, type Wire, wireAt } from '../wire.ts'
import type { Connection } from './connection.ts'
import { confirm } from './emit.ts'
import { hold } from './hold.ts'

/** 4.4 `conversation.item.create`. */
export function createItem(service: Service, connection: Connection, event: Wire): void {
  const { rules, limits, conversation, ids } = service.behaviour
  const { items } = connection.session
  const given = wireAt(event, 'item')
  const input = { event, items: [given], stored: items, limits }
  hold(rules.itemCreate, input)
  hold(rules.items, input)
  if (conversation.ignores(given, items)) return
  const item = conversation.stored(given, textOf(given['id']) ?? ids.item(service.random))
  const index = conversation.position(event['previous_item_id'] ?? undefined, items)
  if (conversation.stores(item, items)) items.splice(index, 0, item)
  const previousItemId = conversation.announcedPrevious(items, index)
  confirm(service, connection, 'conversation.item.created', { previousItemId, item })
}

/** "`conversation.item.retrieved` if the item exists." */
export function retrieveItem(service: Service, connection: Connection, event: Wire): void {
  const { rules, limits } = service.behaviour
  const { items } = connection.session
  hold(rules.itemNamed, { event, items: [], stored: items, limits })
  const item = items.find((one) => one['id'] === event['item_id'])
  if (item === undefined) throw new EventRefusal('no such item', { code: 'item_not_found', param: 'item_id' })
  confirm(service, connection, 'conversation.item.retrieved', { item })
}

export function deleteItem(service: Service, connection: Connection, event: Wire): void {
  const { rules, limits, conversation } = service.behaviour
  const { items } = connection.session
  hold(rules.itemNamed, { event, items: [], stored: items, limits })
  const index = items.findIndex((one) => one['id'] === event['item_id'])
  if (index >= 0 && conversation.deletes(event['item_id'], items)) items.splice(index, 1)
  confirm(service, connection, 'conversation.item.deleted', { itemId: textOf(event['item_id']) ?? '' })
}
