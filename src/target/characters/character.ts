import type { Account } from '../keys.ts'
import type { JsonObject } from '../wire.ts'

/** What a save brings: 4.2 "Create-session configuration plus `name`". */
export interface Saved {
  name: string
  configuration: JsonObject
}

/** A saved session configuration (2.7). */
export interface Character extends Saved {
  readonly id: string
  /** Whose key made it. */
  readonly account: Account
  /** Its place in the order of creation; the newest has the highest. */
  readonly serial: number
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** 3.6: "A character is either stored or soft-deleted." */
  deleted: boolean
}
