import { addedAssets } from '../asset-shape.ts'
import { addedAvatar } from '../avatar-shape.ts'
import { item } from '../conversation-shape.ts'
import { planResponse } from '../plan.ts'
import { type Check, distinct, Fault, list, nonempty, oneOf, shape, str } from '../reading.ts'
import { readResponseRequest } from '../response-request.ts'
import type { Session } from '../session.ts'

type ClientEvent = Record<string, unknown>
type Handler = (session: Session, event: ClientEvent) => void

const nullable: Check<string | null> = (value, at) => (value === null ? null : str(value, at))

const update = shape(
  {},
  { mode: oneOf('text_chat', 'video_avatar'), active_avatar_id: nonempty, source_image_id: nullable },
)

const updateSession: Handler = (session, event) => {
  const wanted = update(event.session, 'session')
  if (wanted.mode === 'video_avatar') throw new Fault('session.mode', 'video_avatar: video not offered here')
  const avatar = wanted.active_avatar_id ?? session.active_avatar_id
  const known = session.avatars.some((each) => each.avatar_id === avatar)
  if (!known) throw new Fault('session.active_avatar_id', 'names no avatar')
  session.active_avatar_id = avatar
  const id = typeof event.event_id === 'string' && event.event_id !== '' ? event.event_id : session.outlet.eventId()
  session.updates.accept(id, { mode: 'text_chat', active_avatar_id: avatar, source_image_id: null })
}

const addAssets: Handler = (session, event) => {
  const assets = session.assets.add(addedAssets(event.assets, 'assets'))
  session.outlet.emit('asset.added', { assets })
}

const addAvatars: Handler = (session, event) => {
  const avatars = list(addedAvatar, 1)(event.avatars, 'avatars')
  distinct(
    [...session.avatars, ...avatars].map((each) => each.avatar_id),
    'avatars[].avatar_id',
  )
  const voiced = avatars.some((each) => each.voice !== undefined)
  if (voiced && session.opening.has_session_voice) throw new Fault('avatars[].voice', 'the session has its own voice')
  session.avatars.push(...avatars)
  session.outlet.emit('avatar.added', { avatars })
}

const createItem: Handler = (session, event) => {
  const given = item(event.item, 'item')
  const previous = event.previous_item_id === undefined ? undefined : str(event.previous_item_id, 'previous_item_id')
  session.remember({ ...given, id: given.id ?? session.conversation.nextId(), status: 'completed' }, previous)
}

const retrieveItem: Handler = (session, event) => {
  const found = session.conversation.find(str(event.item_id, 'item_id'))
  if (found === undefined) throw new Fault('item_id', 'names no item')
  session.outlet.emit('conversation.item.retrieved', { item: found })
}

const deleteItem: Handler = (session, event) => {
  const item_id = str(event.item_id, 'item_id')
  session.conversation.delete(item_id)
  session.outlet.emit('conversation.item.deleted', { item_id })
}

const createResponse: Handler = (session, event) => {
  const request = readResponseRequest(event.response)
  session.responses.request(planResponse(request, session.situation), request.scheduling_policy ?? 'interrupt')
}

/** The client events of 4.4. A handler throws a `Fault` before it has changed anything. */
export const handlers: ReadonlyMap<string, Handler> = new Map([
  ['session.update', updateSession],
  ['asset.add', addAssets],
  ['avatar.add', addAvatars],
  ['conversation.item.create', createItem],
  ['conversation.item.retrieve', retrieveItem],
  ['conversation.item.delete', deleteItem],
  ['response.create', createResponse],
  ['response.cancel', (session) => session.responses.cancel()],
])
