import type { Channel, Frame } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Condition, EventRef, Pattern, Point } from '#trace/claim'
import { all, any, equals, event, inEvent, value } from '#trace/conditions'
import { at as pick, type Json, type JsonObject } from '#trace/json'
import { matches } from '#trace/match'
import { guide, host } from '../bodies.ts'
import { errorsNaming } from '../error-about.ts'
import type { Expect, Terms } from '../expectation.ts'
import type { Row, Rows } from '../rows.ts'
import { sayAgain, sayAgainIfFailed } from '../say-again.ts'
import type { Talk } from '../talk.ts'

/** A `session.update` before it is sent. Only one is outstanding at a time, so order tells which answer belongs to it. */
export interface Update {
  readonly at: Point
  readonly id: string
  readonly updated: EventRef
  readonly done: EventRef
  /** `session.updated` comes. */
  readonly confirmed: Condition
  /** `session.update.done` comes after it. */
  readonly settled: Condition
  /** It says that the update completed. */
  readonly completes: Condition
  /** `session.updated` comes and shows these fields of `session`. */
  shows(fields: { readonly [field: string]: Json }): Condition
}

/** A `session.update` and what came of it. */
export interface Updated extends Update {
  readonly reply: Frame | undefined
  readonly end: Frame | undefined
}

export interface UpdateOptions<R extends Row> {
  /** `null` for none; default a fresh one. */
  readonly id?: string | null
  /** More members of the event. */
  readonly beside?: JsonObject
  /**
   * By what its answer is told from others: its place (default); its id, for an update that changes nothing and may go
   * without an answer; the avatar that it shows, where those to other connections come as well.
   */
  readonly told?: 'by-place' | 'by-id' | 'by-avatar'
  /** A service may refuse it: then nothing else is waited for. */
  readonly refusable?: boolean
  /** It leads to video, where its image may not be had just then: what is refused is sent again. */
  readonly inVideo?: boolean
  readonly expect?: Expect<R, Update>
}

const anyDone = event('session.update.done')

/** Channels on which an update was given up: its answer may still come, so that order no longer tells whose one is. */
const owing = new WeakSet<Channel>()

const oneId = (ids: readonly string[]): Json => (ids.length === 1 ? (ids[0] ?? '') : { $in: [...ids] })

const where = {
  'by-place': () => ({}),
  'by-id': (ids: readonly string[]) => ({ '/event_id': oneId(ids) }),
  'by-avatar': (_ids: readonly string[], session: JsonObject) => ({
    '/session/active_avatar_id': session['active_avatar_id'] ?? '',
  }),
}

/** An answer that names no other update; that to one without a name has one of the service's own (6.2). */
const owed = (id: string | null, session: JsonObject, again: readonly string[]): Pattern['where'] =>
  id === null || id === ''
    ? where['by-avatar']([], session)
    : { '/event_id': { $in: [id, ...again, null, ''], $absent: true } }

/** So often an update in video is sent in all, as long as it is refused. */
const TRIES = 3

/** Sends a valid `session.update` and waits for both of its answers. */
export async function update<R extends Row>(
  talk: Talk<R>,
  session: JsonObject,
  options: UpdateOptions<R> | Expect<R, Update> = {},
): Promise<Updated> {
  const chosen: UpdateOptions<R> = typeof options === 'function' ? { expect: options } : options
  const { id = talk.context.id('update'), beside = {}, told = 'by-place', expect } = chosen
  const { refusable = false, inVideo = false } = chosen
  const tries = inVideo && !refusable && id !== null ? TRIES : 1
  const again = Array.from({ length: tries - 1 }, () => talk.context.id('update'))
  const own =
    told === 'by-place' && owing.has(talk.channel)
      ? owed(id, session, again)
      : where[told]([id ?? '', ...again], session)
  const match = event('session.updated', own)
  const prepared = prepare(talk, [id ?? '', ...again], match, told === 'by-id')
  talk.expect(expect?.(prepared))
  const message = { type: 'session.update', ...(id === null ? {} : { event_id: id }), session, ...beside }
  const since = talk.channel.frames.length
  const reply = await sendInTurn(talk, message, again, match, { told, refusable })
  if (reply === undefined) {
    owing.add(talk.channel)
    if (again.length === 0) await sayAgainIfFailed(talk, message, anyDone, since)
    return { ...prepared, reply, end: undefined }
  }
  const end = await talk.hear(anyDone, reply.frame)
  if (pick(end?.data, '/status') !== 'failed') return { ...prepared, reply, end }
  // An update may fail (3.5), and with it the state that what follows is about: it is sent once more.
  return { ...prepared, reply, end: await sayAgain(talk, message, anyDone) }
}

/** Sends an update, and under other ids again while it is refused. @returns its `session.updated` */
async function sendInTurn(
  talk: Talk,
  message: JsonObject,
  again: readonly string[],
  match: Pattern,
  { told, refusable }: Required<Pick<UpdateOptions<Row>, 'told' | 'refusable'>>,
): Promise<Frame | undefined> {
  for (const one of [message, ...again.map((id) => ({ ...message, event_id: id }))]) {
    const frame = talk.send(one)
    const refusal = refusable || again.length > 0 ? errorsNaming(one['event_id']) : []
    const heard = await talk.hear([match, ...refusal], frame, told)
    if (heard === undefined) return undefined
    if (matches(heard.data, match)) return heard
  }
  return undefined
}

/** An update that a service may refuse, or fail. @returns its end */
export async function tryUpdate(talk: Talk, session: JsonObject): Promise<Frame | undefined> {
  const id = talk.context.id('update')
  const updated = event('session.updated', { '/event_id': id })
  const frame = talk.send({ type: 'session.update', event_id: id, session })
  const reply = await talk.hearRefusal(id, frame, [updated], 'tried update')
  return reply === undefined || !matches(reply.data, updated) ? undefined : talk.hear(anyDone, reply.frame)
}

/** An update that changes nothing in `text_chat`, to see the state. Whether it is confirmed is not said. */
export function look<R extends Row>(talk: Talk<R>, expect: Expect<R, Update>): Promise<Updated> {
  return update(talk, { mode: 'text_chat' }, { told: 'by-id', expect })
}

/** Makes an avatar the active one. @param rows that ask for it to be shown */
export function activate<R extends Row>(
  talk: Talk<R>,
  active_avatar_id: string,
  rows: Rows<R> = [],
  terms: Terms = {},
): Promise<Updated> {
  return update(talk, { active_avatar_id }, (it) => {
    talk.claim(rows, it.shows({ active_avatar_id }), terms)
    return undefined
  })
}

/** @param ids of the update, and under which it is sent again */
function prepare(talk: Talk, ids: readonly string[], match: Pattern, byId: boolean): Update {
  const at = talk.coming
  const [id = ''] = ids
  const updated = talk.event(match, at)
  const each = ids.map((one) => {
    return talk.eventually(event('session.updated', { '/event_id': one }), at, { instead: errorsNaming(one) })
  })
  const [only = any()] = each
  const named = each.length === 1 ? only : any(...each)
  const confirmed = byId ? named : either(id, named, talk.inTime(match, at, undefined, { instead: errorsNaming(id) }))
  const from = { event: updated }
  const ended = talk.eventually(event('session.update.done', { '/request_event_id': oneId(ids) }), from)
  const shown = (field: string, wanted: Json) => equals(inEvent(updated, `/session/${field}`), value(wanted))
  return {
    at,
    id,
    updated,
    done: talk.event(anyDone, from),
    confirmed,
    settled: either(id, ended, talk.inTime(anyDone, from)),
    completes: equals(inEvent(talk.event(anyDone, from), '/status'), value('completed')),
    shows: (fields) => all(confirmed, ...Object.entries(fields).map(([field, wanted]) => shown(field, wanted))),
  }
}

/** An answer that names the event may come whenever it likes; any other must come in time. */
function either(id: string, named: Condition, inTime: Condition): Condition {
  return id === '' ? inTime : any(named, inTime)
}

/** Names the two avatars in turn, so that every update changes something and is told from the one before. */
export function takeTurns(): () => string {
  let active = guide
  return () => (active = active === guide ? host : guide)
}

/** What updates of video sessions tell of their media, beside those of another session, is no other's (2.2, 6.2). */
export const placesInUpdates: readonly RequirementId[] = [
  'avatar-sessions.delivery.rtc-a-signature-session-scoped',
  'avatar-sessions.delivery.rtc-a-room-session-scoped',
]
