import type { Account } from '#target/keys'
import { isWire } from '#target/wire'
import type { WorldStatus } from '#target/worlds/session'
import type { ErrorCode } from '../codes.ts'

/** The same JSON value, written in another order or with other blanks, too. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((member, index) => sameJson(member, other[index]))
  if (!isWire(one) || !isWire(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length && keys.every((key) => key in other && sameJson(one[key], other[key]))
  )
}

export type KeyEvent = 'conflict' | 'fault' | 'abandoned' | 'crowded'

/** 4.5 `idempotency_key`, and "30004 idempotency conflict" of section 7. */
export const worldIdempotency = () => ({
  honoured: true,
  /** A key belongs to the workspace. */
  scope: (account: Account, key: string): string => `${account.workspace}\n${key}`,
  /** The key of a create that names none. */
  keyless: undefined as string | undefined,
  /** "Reuse the same key and identical body"; whether the order of keys counts is not said. */
  sameBody: (first: string, again: string): boolean => sameJson(JSON.parse(first), JSON.parse(again)),
  /** The code of a known key with another body; without one, the key is bound anew. */
  conflict: '30004' as ErrorCode | undefined,
  /** Whether the key of a refused create is bound; section 7 says to retry 429 and 5xx with the same one. */
  remembersFailure: (_code: ErrorCode): boolean => false,
  remembersFaults: false,
  remembersRateLimit: false,
  /** Whether a request joins one with the same key that is still being worked on. */
  joinsInFlight: true,
  /** The code for a request whose key is still being worked on; without one, it waits for the same session. */
  inProgress: undefined as ErrorCode | undefined,
  /** Whether a session in this state is still given for its key. */
  returns: (_status: WorldStatus): boolean => true,
  /** Told of what befell a key: a conflict, a fault of the service, a lack of capacity, a caller who went away. */
  noted: (_event: KeyEvent, _scoped: string): void => undefined,
  /** Whether a key counts as unknown whatever was made with it. */
  forgets: (_scoped: string): boolean => false,
  /** Whether a repeated create returns fresh descriptors. */
  renewsOnReplay: false,
  /** Whether fresh descriptors asked for with a known key are those of the first time. */
  secretsReplayed: true,
})
