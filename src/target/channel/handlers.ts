import type { Service } from '../service.ts'
import type { JsonObject } from '../wire.ts'
import { addAssets, addAvatars } from './additions.ts'
import type { Connection } from '../sessions/session.ts'
import { createItem, deleteItem, retrieveItem } from './items.ts'
import { cancelResponse, createResponse } from './responses.ts'
import { updateSession } from './session-update.ts'

export type EventHandler = (service: Service, connection: Connection, event: JsonObject) => void

/** 4.4: the client events. */
export const HANDLERS: ReadonlyMap<string, EventHandler> = new Map([
  ['session.update', updateSession],
  ['asset.add', addAssets],
  ['avatar.add', addAvatars],
  ['conversation.item.create', createItem],
  ['conversation.item.retrieve', retrieveItem],
  ['conversation.item.delete', deleteItem],
  ['response.create', createResponse],
  ['response.cancel', cancelResponse],
])
