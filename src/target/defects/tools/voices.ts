import type { Override } from '#target/behaviour/behaviour'
import type { CloneInput } from '#target/behaviour/validations/voices'
import { around } from '#target/overrides/operators'
import { textOf, type JsonObject } from '#target/wire'

export const languageOf = (input: CloneInput): string | undefined => textOf(input.body['language'])

/** Lets everybody see what an operation finds. */
export const everybody = (...operations: string[]): Override =>
  around(
    'access.sees',
    (sees) => (account, owner, operation) => operations.includes(operation) || sees(account, owner, operation),
  )

export const isPublic = (voice: JsonObject): boolean => String(voice['voice_id']).startsWith('voice_public')

export const upperCase = (value: unknown): unknown => textOf(value)?.toUpperCase()
