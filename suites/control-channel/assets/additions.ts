import type { Condition, Pattern } from '#trace/claim'
import { all, any, equals, event, inEvent, value } from '#trace/conditions'
import { at as pick, type JsonObject } from '#trace/json'
import { errorsNaming } from '../error-about.ts'
import { takesMore } from '../full.ts'
import type { Expect, Terms } from '../expectation.ts'
import { retrieve, retrieved } from '../items/items.ts'
import { assetKinds } from '../model/assets.ts'
import { type Finished, respond } from '../responses/responses.ts'
import type { Row, Rows } from '../rows.ts'
import type { Said, Talk } from '../talk.ts'

/** Types of the two additions and of their confirmations. */
export const additions = { 'asset.add': 'asset.added', 'avatar.add': 'avatar.added' } as const
export type Addition = keyof typeof additions

/** By any of these a channel goes on: a session that is full adds nothing more. */
export const goesOn = [...Object.values(additions), 'response.created', 'session.updated'].map((type) => event(type))

/** A script that speaks a registered text. */
export function speechAsset(id: string, extra: JsonObject = {}): JsonObject {
  return { script: { vocal: { type: 'speech_asset', speech_text_asset_id: id } }, ...extra }
}

export interface Offer<R extends Row> extends Terms {
  /** Rows that ask for it to be accepted. */
  readonly accepted?: Rows<R>
  readonly expect?: Expect<R, Said>
  /** The session holds nothing of its kind: only one that takes nothing at all later is full. */
  readonly firstOfKind?: boolean
}

/** A valid addition that was prepared, and not yet sent. */
interface Prepared extends Said {
  /** Of each try. */
  readonly ids: readonly string[]
}

/** Media may not be had just then: an addition that names some and is not confirmed is sent again, so often in all. */
export const TRIES = 3
const namesMedia = (what: JsonObject): boolean => JSON.stringify(what).includes('"url":')

/** @param first whether it is one of the first of its session: what is refused later may be refused because it is full */
function prepare<R extends Row>(
  talk: Talk<R>,
  type: Addition,
  what: JsonObject,
  offer: Offer<R>,
  first = false,
): Prepared {
  const { accepted = [], expect, firstOfKind = false } = offer
  const match = event(additions[type])
  const at = talk.coming
  const answer = talk.event(match, at)
  const ids = Array.from({ length: namesMedia(what) ? TRIES : 1 }, () => talk.context.id('add'))
  const confirmed = any(
    ...ids.map((id, place) =>
      talk.inTime(match, talk.after(place), talk.after(place + 1), { instead: errorsNaming(id) }),
    ),
  )
  const others = firstOfKind ? [match] : alike(type, what)
  const more = all(...others.map((one) => takesMore(talk, one, confirmed)))
  const terms = first ? offer : { ...offer, given: [...(offer.given ?? []), more], choice: true }
  talk.claim(accepted, confirmed, terms)
  talk.expect(expect?.({ at, answer, confirmed }))
  return { at, answer, confirmed, ids }
}

/** What confirms others of each of its kinds: a session may be full for texts, and take images all the same. */
function alike(type: Addition, what: JsonObject): readonly Pattern[] {
  const places = assetKinds.map((kind) => `/assets/${kind}/0`).filter((place) => pick(what, place) !== undefined)
  const match = additions[type]
  return places.length === 0 ? [event(match)] : places.map((place) => event(match, { [place]: { $present: true } }))
}

async function send(talk: Talk, type: Addition, what: JsonObject, { ids }: Prepared): Promise<void> {
  const match = event(additions[type])
  for (const id of ids) {
    const frame = talk.send({ type, event_id: id, ...what })
    const heard = await talk.hearRefusal(id, frame, [match], 'addition')
    const refused = heard?.type === 'error'
    const taken = refused ? await talk.hear(match, frame, 'refused addition') : heard
    if (taken !== undefined) return
  }
}

/**
 * Sends a valid addition; only one is outstanding at a time, since its confirmation names no event.
 *
 * @returns that it was confirmed
 */
export async function add<R extends Row>(
  talk: Talk<R>,
  type: Addition,
  what: JsonObject,
  offer: Offer<R> = {},
): Promise<Condition> {
  const prepared = prepare(talk, type, what, offer)
  await send(talk, type, what, prepared)
  return prepared.confirmed
}

type OnceRow<A extends Addition> = A extends 'asset.add'
  ? 'asset-add.confirmed' | 'asset-add.confirmed-once'
  : 'avatar-add.confirmed' | 'avatar-add.confirmed-once'

/** The same, confirmed only once. @param known an item; its retrieval tells that no second confirmation is to come */
export async function addOnce<A extends Addition, R extends Row>(
  talk: Talk<R | OnceRow<A>>,
  type: A,
  what: JsonObject,
  known: string,
  offer: Offer<R>,
): Promise<Condition> {
  const prepared = prepare<R>(talk, type, what, offer, true)
  const { answer, confirmed } = prepared
  const pong = talk.event(event(retrieved, { '/item/id': known }), talk.after(1))
  const once = talk.never(event(additions[type]), { event: answer }, { event: pong })
  const subject = type === 'asset.add' ? 'asset-add' : 'avatar-add'
  talk.claim(`${subject}.confirmed` as OnceRow<A>, confirmed)
  talk.claim(`${subject}.confirmed-once` as OnceRow<A>, once)
  await send(talk, type, what, prepared)
  await retrieve(talk, known)
  return confirmed
}

/** Registers speech texts by id. */
export function speechTexts(texts: { readonly [id: string]: string }): JsonObject {
  const speech_text = Object.entries(texts).map(([asset_id, text]) => ({ asset_id, text }))
  return { assets: { speech_text } }
}

interface Spoken<R extends Row> extends Terms {
  /** Rows that ask for it to be spoken word for word. */
  readonly spoken?: Rows<R>
  readonly extra?: JsonObject
}

/** Speaks a registered text. */
export function speakAsset<R extends Row>(
  talk: Talk<R>,
  id: string,
  text: string,
  { spoken, extra = {}, ...terms }: Spoken<R> = {},
): Promise<Finished> {
  return respond(talk, speechAsset(id, extra), (asked) => {
    const exact = all(asked.started, equals(inEvent(asked.text, '/text'), value(text)))
    return spoken === undefined ? undefined : talk.claim(spoken, exact, terms)
  })
}

/** Confirmations that show a value at a place of one of the first members of a list. */
export function showing(
  type: Addition,
  list: string,
  member: (at: string) => NonNullable<Pattern['where']>,
): readonly Pattern[] {
  return Array.from({ length: 12 }, (_, place) => event(additions[type], member(`${list}/${place}`)))
}
