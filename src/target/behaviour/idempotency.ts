import type { Account } from '../keys.ts'
import type { SessionStatus } from '../sessions/session.ts'

/** 4.1: retrying a create "with the same key does not allocate a duplicate session". */
export const idempotency = () => ({
  honoured: true,
  /** A key belongs to the workspace (1.6). */
  scope: (account: Account, key: string): string => `${account.workspace}\n${key}`,
  /** Whether a request joins one with the same key that is still being worked on. */
  joinsInFlight: true,
  /** Whether a failed create stays bound to its key; section 7 says to retry with the same one. */
  keepsFailures: false,
  /** Whether a session in this state is still given for its key. */
  returns: (_status: SessionStatus): boolean => true,
})
