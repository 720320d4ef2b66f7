import type { Account } from '../keys.ts'

/** An uploaded file (2.8), without its bytes: nothing asks for them again. */
export interface AudioFile {
  readonly id: string
  /** Who uploaded it; its workspace owns it (1.6). */
  readonly account: Account
  /** The type that was found in its bytes, and the one that its form declared. */
  readonly detected: string
  readonly declared: string
  readonly bytes: number
  /** Size of the whole form that brought it. */
  readonly formBytes: number
  /** How long it plays, where that can be read. */
  readonly seconds: number | undefined
  readonly createdAt: number
}
