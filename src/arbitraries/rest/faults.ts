import * as fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '#trace/json'

/** A mistake in a request, which every service has to refuse. */
export interface Fault {
  readonly id: string
  /** Codes that are right for it, where it is the only one; none: any but 0. */
  readonly codes: readonly number[]
  readonly change: (body: JsonObject) => JsonObject
}

/** A request with one mistake or several, and what may be said of it. */
export interface Faulty {
  readonly body: JsonObject
  readonly faults: readonly Fault[]
  /** With two faults at once the codes of either are right; none: any but 0. */
  readonly codes: readonly number[]
}

const without = (name: string) => (body: JsonObject) =>
  Object.fromEntries(Object.entries(body).filter(([member]) => member !== name))

const avatarsOf = (body: JsonObject): readonly JsonObject[] =>
  (Array.isArray(body['avatars']) ? (body['avatars'] as readonly Json[]) : []).filter(isObject)

const withAvatars = (change: (avatars: readonly JsonObject[]) => readonly JsonObject[]) => (body: JsonObject) => ({
  ...body,
  avatars: change(avatarsOf(body)),
})

/** Names no avatar, which would be a second fault where there is none. */
const unnamed = (body: JsonObject): JsonObject => ({ ...body, session: { mode: 'text_chat' } })

/** A number of seconds for which no timer of the body is too long. */
const lasting = (seconds: number) => (body: JsonObject) => ({
  ...without('auto_close')(body),
  max_duration_seconds: seconds,
})

/** Of a save of a `text_chat` character (4.2, section 7). */
export const characterFaults: readonly Fault[] = [
  { id: 'name-missing', codes: [20004], change: without('name') },
  { id: 'avatars-missing', codes: [20012], change: (body) => without('avatars')(unnamed(body)) },
  { id: 'avatars-empty', codes: [20012], change: (body) => ({ ...unnamed(body), avatars: [] }) },
  { id: 'avatar-id-missing', codes: [20013], change: withAvatars((all) => [...all, { instructions: 'No id.' }]) },
  { id: 'avatar-id-empty', codes: [20013], change: withAvatars((all) => [...all, { avatar_id: '' }]) },
  { id: 'avatar-id-duplicate', codes: [20013], change: withAvatars((all) => [...all, ...all.slice(0, 1)]) },
  {
    id: 'active-avatar-unknown',
    codes: [20013],
    change: (body) => ({ ...body, session: { mode: 'text_chat', active_avatar_id: 'nobody-of-this-name' } }),
  },
  { id: 'three', codes: [], change: lasting(3) },
  { id: 'zero', codes: [], change: lasting(0) },
]

/** Of a create of a world session (4.5, section 7). */
export const worldFaults: readonly Fault[] = [
  { id: 'model-missing', codes: [30004], change: without('model') },
  { id: 'initial-prompt-missing', codes: [30004], change: without('initial_prompt') },
  { id: 'initial-prompt-content-missing', codes: [30004], change: (body) => ({ ...body, initial_prompt: {} }) },
  { id: 'opening-frame-url-missing', codes: [30004], change: (body) => ({ ...body, opening_frame: {} }) },
]

/** Of a clone (4.3, section 7). */
export const voiceFaults: readonly Fault[] = [
  { id: 'name-missing', codes: [20003], change: without('name') },
  { id: 'file-id-missing', codes: [20003], change: without('file_id') },
  { id: 'language-unlisted', codes: [20004], change: (body) => ({ ...body, language: 'tlh' }) },
  { id: 'name-too-long', codes: [20004], change: (body) => ({ ...body, name: 'n'.repeat(129) }) },
]

/** The body with these faults, one after the other. */
export function withFaults(body: JsonObject, faults: readonly Fault[]): Faulty {
  const open = faults.some(({ codes }) => codes.length === 0)
  return {
    body: faults.reduce((left, { change }) => change(left), body),
    faults,
    codes: open ? [] : [...new Set(faults.flatMap(({ codes }) => codes))],
  }
}

/** Requests with one fault of the table, or two of them. */
export function faulty(valid: fc.Arbitrary<JsonObject>, table: readonly Fault[]): fc.Arbitrary<Faulty> {
  const some = fc.uniqueArray(fc.constantFrom(...table), { minLength: 1, maxLength: 2, selector: ({ id }) => id })
  return fc.tuple(valid, some).map(([body, faults]) => withFaults(body, faults))
}
