import type { Account, KeyState } from '#target/keys'
import type { Session } from '#target/sessions/session'
import type { WorldSession } from '#target/worlds/session'
import type { ErrorCode } from '../codes.ts'

/** Section 8: "A per-workspace cap on concurrently open avatar sessions; exceeding gives 30006." */
export const quota = () => ({
  exceeded: (_operation: string): ErrorCode => '30006',
  admits: (open: number, cap: number): boolean => open < cap,
  /** Whether a session still holds a slot; for `closing` the spec leaves it open. */
  holds: (session: Session): boolean => session.status === 'active',
  /** Whether a world session holds a slot: the cap is on avatar sessions. */
  holdsWorld: (_world: WorldSession): boolean => false,
  /** Whether a character that is saved takes a slot for good where one is free: "Does not start a session" (4.2). */
  heldBySaves: false,
  /** Which sessions share a budget of slots. */
  scope: (account: Account): string => account.workspace,
  cap: (_account: Account, configured: number): number => configured,
  /** Whether creates that are still being carried out count. */
  countsInFlight: true,
  /** Whether a create that was refused with this code takes a slot for good. */
  leaks: (_code: ErrorCode, _operation: string): boolean => false,
  /** 30008: "Platform model capacity insufficient." */
  capacity: (state: KeyState): ErrorCode | undefined => (state === 'capacity_exhausted' ? '30008' : undefined),
})
