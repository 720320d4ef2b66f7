import type { Condition, Pattern } from '#trace/claim'
import { all, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { retrieve, retrieved } from '../items/items.ts'
import { type Finished, respond } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { errorsNaming } from '../error-about.ts'
import { type ClaimOptions, type Said, Talk } from '../talk.ts'

/** Types of the two additions and of their confirmations. */
export const additions = { 'asset.add': 'asset.added', 'avatar.add': 'avatar.added' } as const
export type Addition = keyof typeof additions

/** A script that speaks a registered text. */
export function speechAsset(id: string, extra: JsonObject = {}): JsonObject {
  return { script: { vocal: { type: 'speech_asset', speech_text_asset_id: id } }, ...extra }
}

export interface Offer {
  readonly rows?: readonly Row[]
  /** An item; its retrieval tells that no second confirmation is to come. */
  readonly known?: string
  readonly options?: ClaimOptions
  readonly write?: (said: Said) => void
}

/**
 * Sends a valid addition; only one is outstanding at a time, since its confirmation names no event.
 *
 * @returns that it was confirmed
 */
export async function add(talk: Talk, type: Addition, what: JsonObject, offer: Offer = {}): Promise<Condition> {
  const { rows = [], known, options, write } = offer
  const match = event(additions[type])
  const at = talk.coming
  const answer = talk.event(match, at)
  const id = talk.context.id('add')
  const confirmed = talk.inTime(match, at, undefined, { instead: errorsNaming(id) })
  talk.claim(rows, confirmed, options)
  write?.({ at, answer, confirmed })
  if (known !== undefined) {
    talk.claim(`${short(type)}.confirmed`, confirmed)
    const pong = talk.event(event(retrieved, { '/item/id': known }), talk.after(1))
    talk.claim(`${short(type)}.confirmed-once`, talk.never(match, { event: answer }, { event: pong }))
  }
  const frame = talk.send({ type, event_id: id, ...what })
  const heard = await talk.hearRefusal(id, frame, [match], 'addition')
  if (heard?.type === 'error') await talk.hear(match, frame, 'refused addition')
  if (known !== undefined) await retrieve(talk, known)
  return confirmed
}

export function short(type: Addition): 'asset-add' | 'avatar-add' {
  return type === 'asset.add' ? 'asset-add' : 'avatar-add'
}

/** Registers speech texts by id. */
export function speechTexts(texts: { readonly [id: string]: string }): JsonObject {
  const speech_text = Object.entries(texts).map(([asset_id, text]) => ({ asset_id, text }))
  return { assets: { speech_text } }
}

/** Speaks a registered text, which must come word for word. */
export function speakAsset(
  talk: Talk,
  id: string,
  text: string,
  {
    rows = [],
    extra = {},
    options,
  }: { readonly rows?: readonly Row[]; readonly extra?: JsonObject; readonly options?: ClaimOptions },
): Promise<Finished> {
  return respond(talk, speechAsset(id, extra), (asked) => {
    talk.claim(rows, all(asked.started, equals(inEvent(asked.text, '/text'), value(text))), options)
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
