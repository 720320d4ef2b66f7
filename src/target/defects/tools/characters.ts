import type { ErrorCode } from '#target/behaviour/codes'
import type { Behaviour, Override } from '#target/behaviour/behaviour'
import type { SaveOperation } from '#target/behaviour/characters/records'
import { avatarOf } from '#target/behaviour/create'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Change } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { add, append, around, drop, except, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'

export const CREATE = 'create-character'

export const DELETE = 'delete-character'

/** A place from which everything follows. */
export const TOP = 2 ** 40

export const REPLACE = 'replace-character'

/** The avatar that is active in a create. */
export const activeOf = (body: JsonObject): JsonObject | undefined => {
  const avatars = objectsAt(body, 'avatars')
  return avatarOf(avatars, textOf(objectAt(body, 'session')['active_avatar_id'])) ?? avatars[0]
}

export const RESOLUTIONS = ['480p', '720p']

/** Takes a field of the body in place of the saved one. */
export const taken = (field: string): Override => append('characters.sessions.replacing', field)

/** Changes the create that a saved configuration and a body come to. */
export const onStart = (make: (body: JsonObject, sent: JsonObject, saved: JsonObject) => JsonObject): Override =>
  around('characters.sessions.body', (body) => (saved, sent, how) => make(body(saved, sent, how), sent, saved))

/** Changes the output that comes of a saved and a sent one. */
export const onOutput = (make: (merged: JsonObject, sent: JsonObject, saved: JsonObject) => JsonObject): Override =>
  onStart((body, sent, saved) =>
    sent['output'] === undefined || body['output'] === undefined
      ? body
      : { ...body, output: make(objectAt(body, 'output'), objectAt(sent, 'output'), objectAt(saved, 'output')) },
  )

/** Sets what is left out of a sent output in which this field stands alone. */
export const onPart = (field: string, left: string, make: (saved: JsonObject) => JsonObject[string]): Override =>
  onOutput((merged, sent, saved) =>
    sent[field] !== undefined && sent[left] === undefined ? { ...merged, [left]: make(saved) } : merged,
  )

export function pick(object: JsonObject, field: string): JsonObject {
  return object[field] === undefined ? {} : { [field]: object[field] }
}

export const START = 'create-session-from-character'

/** Changes the full character wherever one is returned. */
export const onFull =
  (make: Change): Override =>
  (behaviour) => {
    for (const operation of ['create-character', 'get-character', 'replace-character'])
      onData(operation, make)(behaviour)
  }

type Refuses = (input: CreateInput) => boolean

/** Refuses saves that the spec accepts. */
export const refuseSave = (operation: SaveOperation, broken: Refuses): Override =>
  add(
    operation === 'create-character' ? 'validations.character.session' : 'validations.replacement.session',
    'refused-by-defect',
    validation('4.2', 'body', broken),
  )

/** Refuses starts that the spec accepts. */
export const refuseStart = (broken: Refuses, code: ErrorCode = '30004'): Override =>
  add('validations.start.session', 'refused-by-defect', validation('4.1', 'body', broken, code))

type Noun = keyof Behaviour['validations']['character']

/** Lets a fault of a saved configuration pass both on save and on start. */
export const letThrough =
  (noun: Noun, ...ids: string[]): Override =>
  (behaviour) => {
    for (const tables of ['character', 'replacement', 'start'])
      drop(`validations.${tables}.${noun}`, ...(ids as never[]))(behaviour)
  }

/** Drops a validation about durations, and lets timeouts exceed a duration that is none. */
export const letDuration = (
  when: 'character' | 'replacement' | 'start',
  fault: 'duration-low' | 'duration-zero' | 'duration-negative',
): Override =>
  several(
    drop(`validations.${when}.session`, fault),
    except(
      `validations.${when}.session`,
      ['disconnected-over-duration', 'idle-over-duration'],
      ({ maxDuration, limits }) => !(maxDuration >= limits.maxDurationMinimum),
    ),
  )

/** Whether a session was started from a character. */
export const isStarted = ({ plan }: Session): boolean => plan.characterId !== undefined

/** `saved` where it is an object, empty where it is not. */
export const inside = (object: JsonObject, ...path: string[]): JsonObject =>
  path.reduce<JsonObject>((value, key) => objectAt(value, key), object)

/** The first of `values` that is not `value`. */
export const other = (value: unknown, ...values: string[]): string => values.find((one) => one !== value) ?? ''

/** An operation does not find sessions from characters. */
export const hiddenFrom = (operation: string): Override =>
  around(
    'access.seesSession',
    (seesSession) => (session, asked) => seesSession(session, asked) && !(asked === operation && isStarted(session)),
  )
