import type { Frame } from '../../src/client/types.ts'
import type { Condition, EventRef, Pattern, Point } from '../../src/trace/claim.ts'
import { all, equals, event, inEvent, value } from '../../src/trace/conditions.ts'
import type { Json, JsonObject } from '../../src/trace/json.ts'
import { guide, host } from './bodies.ts'
import type { Talk } from './talk.ts'

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
  /** `session.updated` comes and shows these fields of `session`. */
  shows(fields: { readonly [field: string]: Json }): Condition
}

/** A `session.update` and what came of it. */
export interface Updated extends Update {
  readonly reply: Frame | undefined
  readonly end: Frame | undefined
}

export interface UpdateOptions {
  /** `null` for none; default a fresh one. */
  readonly id?: string | null
  /** More members of the event. */
  readonly beside?: JsonObject
  /** Its answer is told by its id, not by its place: for an update that changes nothing and may go without one. */
  readonly unchanged?: boolean
  /** Claims, written before it is sent. */
  readonly write?: (update: Update) => void
}

const anyUpdated = event('session.updated')
const anyDone = event('session.update.done')

/** Sends a valid `session.update` and waits for both of its answers. */
export async function update(talk: Talk, session: JsonObject, options: UpdateOptions = {}): Promise<Updated> {
  const { id = talk.context.id('update'), beside = {}, unchanged = false, write } = options
  const match = unchanged ? event('session.updated', { '/event_id': id ?? '' }) : anyUpdated
  const prepared = prepare(talk, id ?? '', match)
  write?.(prepared)
  const frame = talk.send({ type: 'session.update', ...(id === null ? {} : { event_id: id }), session, ...beside })
  const reply = await talk.hear(match, frame, unchanged ? 'unchanged' : undefined)
  const end = reply === undefined ? undefined : await talk.hear(anyDone, reply.frame)
  return { ...prepared, reply, end }
}

/** An update that changes nothing in `text_chat`, to see the state. Whether it is confirmed is not said. */
export function look(talk: Talk, write: (update: Update) => void): Promise<Updated> {
  return update(talk, { mode: 'text_chat' }, { unchanged: true, write })
}

function prepare(talk: Talk, id: string, match: Pattern): Update {
  const at = talk.coming
  const updated = talk.event(match, at)
  const confirmed = talk.eventually(match, at)
  const shown = (field: string, wanted: Json) => equals(inEvent(updated, `/session/${field}`), value(wanted))
  return {
    at,
    id,
    updated,
    done: talk.event(anyDone, { event: updated }),
    confirmed,
    settled: talk.eventually(anyDone, { event: updated }),
    shows: (fields) => all(confirmed, ...Object.entries(fields).map(([field, wanted]) => shown(field, wanted))),
  }
}

/** Names the two avatars in turn, so that every update changes something and is told from the one before. */
export function takeTurns(): () => string {
  let active = guide
  return () => (active = active === guide ? host : guide)
}
