import type { Override } from '#target/behaviour/behaviour'
import type { CloneInput } from '#target/behaviour/validations/voices'
import { append, around } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject } from '#target/wire'

export const languageOf = (input: CloneInput): string | undefined => textOf(input.body['language'])

/** Lets everybody see what an operation finds. */
export const everybody = (...operations: string[]): Override =>
  around(
    'access.sees',
    (sees) => (account, owner, operation) => operations.includes(operation) || sees(account, owner, operation),
  )

/** Changes the data of an operation into something that is no object any more. */
export const reshape = (operation: string, make: (data: JsonObject) => unknown): Override =>
  append('http.data', (data, answered) => (answered === operation && isWire(data) ? make(data) : data))

export const isPublic = (voice: JsonObject): boolean => String(voice['voice_id']).startsWith('voice_public')

export const upperCase = (value: unknown): unknown => textOf(value)?.toUpperCase()
