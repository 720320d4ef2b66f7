import type { Account } from '#target/keys'
import type { Session, SessionStatus } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'
import type { ErrorCode } from '../codes.ts'

/** 4.1: retrying a create "with the same key does not allocate a duplicate session". */
export const idempotency = () => ({
  honoured: true,
  /** A key belongs to the workspace (1.6). */
  scope: (account: Account, key: string): string => `${account.workspace}\n${key}`,
  /** A key of Create Session stands for another create than the same key of Create Session from Character. */
  named: (operation: string, key: string, _body?: JsonObject): string => `${operation}\n${key}`,
  /** The key of a create that names none. */
  keyless: undefined as string | undefined,
  /** Whether a request joins one with the same key that is still being worked on. */
  joinsInFlight: true,
  /** Whether a refused create stays bound to its key; section 7 says to retry 429 and 5xx with the same one. */
  remembersFailure: (_code: ErrorCode): boolean => false,
  /** The same for a create that failed through a fault of the service. */
  remembersFaults: false,
  /** Whether a create that the rate limit refused stays bound to its key. */
  remembersRateLimit: false,
  /** What becomes of the key when nobody waits for the answer any more. */
  abandoned: 'keep' as 'keep' | 'forget' | 'poison',
  /** Milliseconds for which such a create goes on, while its key is told that it is in progress. */
  lingersMs: 0,
  /** Whether a session in this state is still given for its key. */
  returns: (_status: SessionStatus, _session: Session): boolean => true,
  /** Milliseconds for which a key is remembered. */
  lastsMs: Number.POSITIVE_INFINITY,
})
