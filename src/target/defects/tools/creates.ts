import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { set } from '#target/overrides/operators'

export const GET = 'get-avatar-session'

export const CREATE = 'create-avatar-session'

/** A create that is refused with a code makes its session all the same. */
export const makes = (code: ErrorCode, operation: string): Override =>
  set('create.makesRefused', (refused, by) => refused === code && by === operation)

/** A save that is refused with a code is written. */
export const writes = (noun: 'create' | 'replace', refused: ErrorCode): Override =>
  set('characters.writesRefused', (code, by) => by === `${noun}-character` && code === refused)

export const LITE = 'svc-a1-stream-lite'
