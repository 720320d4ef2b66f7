import type { Condition, EventRef, Pattern, Point } from '#trace/claim'
import { absent, all, any, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import { at as pick, type Json, type JsonObject, textAt } from '#trace/json'
import { userMessage } from '../bodies.ts'
import type { Expect, Expectations } from '../expectation.ts'
import type { Row } from '../rows.ts'
import { sayAgainIfFailed } from '../say-again.ts'
import type { Heard, Said, Talk } from '../talk.ts'

export const created = 'conversation.item.created'
export const retrieved = 'conversation.item.retrieved'
export const deleted = 'conversation.item.deleted'

/** Roles of items that only clients make. */
export const clientRoles: readonly Json[] = ['user', 'system']

/** The announcement of this item, not of that of a response, which may come when that is done and this is asked for. */
export function announcing({ type, role = null }: JsonObject): Pattern {
  if (type !== 'message') return event(created, { '/item/type': { $not: 'message' } })
  return event(created, clientRoles.includes(role) ? { '/item/role': { $not: 'assistant' } } : {})
}

/** An item that was created, or not. */
export interface Made extends Heard {
  readonly id: string | undefined
}

/** Creates an item; only one is outstanding at a time, and others are of other roles. */
export async function makeItem<R extends Row>(
  talk: Talk<R>,
  item: JsonObject,
  expect?: Expect<R, Said>,
  beside: JsonObject = {},
): Promise<Made> {
  const id = talk.context.id('item-create')
  const message = { type: 'conversation.item.create', event_id: id, item, ...beside }
  const role = item['role']
  const match = event(created, role === undefined ? {} : { '/item/role': role })
  const since = talk.channel.frames.length
  const heard = await talk.say(message, match, expect)
  const reply = heard.reply ?? (await sayAgainIfFailed(talk, message, match, since))
  return { ...heard, reply, id: textAt(reply?.data, '/item/id') }
}

const ownItems = new WeakMap<Talk, string>()

/**
 * An item for which only this connection asks: where a service tells each connection what any of them asked for, the
 * answer to another one could be taken for its own.
 */
export async function ownItem(talk: Talk): Promise<string> {
  const own = ownItems.get(talk) ?? (await makeItem(talk, userMessage('Please listen.'))).id ?? ''
  ownItems.set(talk, own)
  return own
}

/**
 * Retrieves an item that exists. Where its creation was never confirmed, nobody knows its id: one that there is none of is
 * asked for in its place, and nothing is expected.
 */
export function retrieve<R extends Row>(
  talk: Talk<R>,
  itemId: string,
  expect?: Expect<R, Said>,
  beside: JsonObject = {},
): Promise<Heard> {
  const id = talk.context.id('item-retrieve')
  const message = { type: 'conversation.item.retrieve', event_id: id, item_id: itemId || id, ...beside }
  return talk.say(message, event(retrieved, { '/item/id': itemId }), itemId === '' ? undefined : expect)
}

/** Deletes an item; see {@link retrieve}. */
export function remove<R extends Row>(
  talk: Talk<R>,
  itemId: string,
  match = event(deleted),
  expect?: Expect<R, Said>,
  beside: JsonObject = {},
): Promise<Heard> {
  const id = talk.context.id('item-delete')
  const message = { type: 'conversation.item.delete', event_id: id, item_id: itemId || id, ...beside }
  return talk.say(message, match, itemId === '' ? undefined : expect)
}

/** A retrieve that must find nothing, before it and the retrieve of an item that exists are sent. */
export interface Sought {
  /** No other item than the one that exists is shown until something else is sent. */
  readonly nothing: Condition
  /** The item is not shown, now or later. */
  readonly unseen: Condition
}

/** Retrieves an item that must not be found, and then one that exists: an answer of neither kind is needed to the first. */
export async function seek<R extends Row>(
  talk: Talk<R>,
  itemId: string,
  existing: string,
  expect: (sought: Sought) => Expectations<R>,
): Promise<Heard> {
  const others = event(retrieved, { '/item/id': { $not: existing } })
  const [at, until] = [talk.coming, talk.after(2)]
  const unseen = talk.never(event(retrieved, { '/item/id': itemId }), at)
  talk.expect(expect({ nothing: talk.never(others, at, until), unseen }))
  talk.send({ type: 'conversation.item.retrieve', event_id: talk.context.id('item-seek'), item_id: itemId })
  return retrieve(talk, existing)
}

/** The item that an event shows holds exactly this text, in one part or in those in which it was shown before. */
export function holdsText(shown: EventRef, text: string, before?: Json): Condition {
  const parts = textParts(before)
  const wanted = parts.length > 1 && parts.join('') === text ? parts : [text]
  const places = wanted.map((part, place) => equals(inEvent(shown, `/item/content/${place}/text`), value(part)))
  return all(...places, equals(inEvent(shown, `/item/content/${wanted.length}/text`), absent))
}

function textParts(item: Json | undefined): readonly string[] {
  const content = pick(item, '/content')
  const parts = Array.isArray(content) ? (content as readonly Json[]) : []
  return parts.flatMap((part) => textAt(part, '/text') ?? [])
}

/** `status` is "usually server-set" (2.9): then what the client says of it is of no weight, nor need it be shown. */
export function setsStatus(talk: Talk, at: Point): Condition {
  const status = inEvent(talk.event(event(created), at), '/item/status')
  const known = equals(status, oneOf('completed', 'incomplete', 'in_progress'))
  return any(known, all(talk.eventually(event(created), at), equals(status, absent)))
}
