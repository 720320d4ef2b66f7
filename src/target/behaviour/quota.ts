import type { KeyState } from '../keys.ts'
import type { SessionStatus } from '../sessions/session.ts'
import type { ErrorCode } from './codes.ts'

/** Section 8: "A per-workspace cap on concurrently open avatar sessions; exceeding gives 30006." */
export const quota = () => ({
  exceeded: '30006' as ErrorCode,
  admits: (open: number, cap: number): boolean => open < cap,
  /** Whether a session in this state still holds a slot; for `closing` the spec leaves it open. */
  holds: (status: SessionStatus): boolean => status === 'active',
  /** Which sessions share a slot budget. */
  scope: (workspace: string): string => workspace,
  cap: (_workspace: string, configured: number): number => configured,
  /** 30008: "Platform model capacity insufficient." */
  capacity: (state: KeyState): ErrorCode | undefined => (state === 'capacity_exhausted' ? '30008' : undefined),
})
