import { type Asset, readAssets, shelves } from '../shapes/asset-shape.ts'
import { readAvatars } from '../shapes/avatar-shape.ts'
import { readItem } from '../shapes/item-shape.ts'
import { type JsonObject, Reader } from '../reader.ts'
import { Complaint } from '../refusal.ts'
import { readResponse } from '../responses/response-request.ts'
import { updateSession } from '../avatar-sessions/session-update.ts'
import type { Heard } from './heard.ts'

const complain = (message: string): Complaint => new Complaint(message)

function reader(heard: Heard): Reader {
  return new Reader(heard.message, 'event', complain)
}

/** Confirmations go to the connection that asked, or to all. */
function confirm({ session, socket }: Heard, event: JsonObject): void {
  if (session.choices.contrary) session.connections.toAll(event)
  else session.connections.toOne(socket, event)
}

function addAssets(heard: Heard): void {
  const { session } = heard
  const assets = readAssets(reader(heard).needChild('assets'), 'channel')
  if (assets.length === 0) throw new Complaint('no asset to add')
  const known = assets.find((asset) => session.assets.has(asset.id))
  if (known !== undefined) throw new Complaint(`asset ${known.id} is there already`)
  for (const asset of assets) session.assets.set(asset.id, asset)
  const shown = session.choices.contrary ? [...session.assets.values()] : assets
  const added = shelves.map((shelf) => [shelf, shown.filter((one) => one.shelf === shelf).map((one) => one.sent)])
  confirm(heard, { assets: Object.fromEntries(added) as JsonObject, type: 'asset.added' })
}

function addAvatars(heard: Heard): void {
  const { session } = heard
  const avatars = readAvatars(reader(heard).children('avatars'), true)
  if (avatars.length === 0) throw new Complaint('no avatar to add')
  for (const { id, sent } of avatars) {
    if (session.avatars.has(id)) throw new Complaint(`avatar ${id} is there already`)
    if (sent['voice'] !== undefined && session.plan.hasVoice) throw new Complaint('the session has its voice already')
  }
  for (const avatar of avatars) session.avatars.set(avatar.id, avatar)
  confirm(heard, { avatars: avatars.map((avatar) => avatar.sent), type: 'avatar.added' })
}

function createItem(heard: Heard): void {
  const { items, choices } = heard.session
  const asked_after = reader(heard).string('previous_item_id')
  const sent = reader(heard).needChild('item')
  const body = readItem(sent)
  const asked = sent.string('id')
  if (asked !== undefined && asked !== '' && items.find(asked) !== undefined) throw new Complaint('the item exists')
  if (asked === 'root') throw new Complaint('root is no id')
  const lost = asked_after !== undefined && asked_after !== 'root' && items.find(asked_after) === undefined
  if (lost && !choices.contrary) throw new Complaint('there is no item to put it after')
  const after = lost ? undefined : asked_after
  const id = asked === undefined || asked === '' ? items.newId() : asked
  const item = { ...body, id }
  const previous_item_id = items.put({ id, body: item }, after)
  confirm(heard, { item, previous_item_id, type: 'conversation.item.created' })
}

function retrieveItem(heard: Heard): void {
  const item = heard.session.items.find(reader(heard).words('item_id'))
  if (item === undefined) throw new Complaint('there is no such item')
  confirm(heard, { item: item.body, type: 'conversation.item.retrieved' })
}

function deleteItem(heard: Heard): void {
  const item_id = reader(heard).words('item_id')
  if (!heard.session.items.drop(item_id)) throw new Complaint('there is no such item')
  confirm(heard, { item_id, type: 'conversation.item.deleted' })
}

function respond(heard: Heard): void {
  const { session, eventId } = heard
  const response = reader(heard).child('response') ?? new Reader({}, 'event.response', complain)
  const { policy, ...accepted } = readResponse(response, eventId, {
    mode: session.mode,
    items: session.items,
    conversation: session.plan.conversation,
    chatty: session.choices.contrary,
    asset: (shelf: Asset['shelf'], id) => session.asset(shelf, id),
  })
  session.scheduler.submit(accepted, policy)
}

/** Section 4.4: the client events, by type. */
export const handlers: ReadonlyMap<string, (heard: Heard) => void> = new Map([
  ['session.update', updateSession],
  ['asset.add', addAssets],
  ['avatar.add', addAvatars],
  ['conversation.item.create', createItem],
  ['conversation.item.retrieve', retrieveItem],
  ['conversation.item.delete', deleteItem],
  ['response.create', respond],
  ['response.cancel', ({ session }: Heard) => session.scheduler.cancel(session.choices.contrary)],
])
