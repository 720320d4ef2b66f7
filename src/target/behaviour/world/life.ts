import type { WorldChannel, WorldSession, WorldStatus } from '#target/worlds/session'

export type WorldCloseCause = 'request' | 'expiry'

/** 3.2 World session status. */
export const worldLife = () => ({
  /** "`provisioning`, `active` or `failed`", by the number of the create. */
  initial: (_count: number): WorldStatus => 'active',
  /** Milliseconds until a session that is provisioned is ready, and what it is then. */
  provisioningMs: 0,
  onReady: 'active' as WorldStatus,
  closable: (status: WorldStatus): boolean => status === 'active' || status === 'provisioning' || status === 'failed',
  /** "Returns `closed` instead if cleanup already finished." */
  onClose: 'closing' as WorldStatus,
  onCleanup: 'closed' as WorldStatus,
  cleanupMs: 60,
  /** Milliseconds for which a closed session is still known. */
  forgetMs: 900_000,
  closesBy: (_cause: WorldCloseCause): boolean => true,
  /** Other sessions that a close ends. */
  alsoCloses: (_session: WorldSession, _all: WorldSession[]): WorldSession[] => [],
  expiryMs: (seconds: number): number => seconds * 1000,
  /** "short-lived": milliseconds, never beyond the session itself. */
  secretMs: 300_000,
  secretExpiry: (now: number, secretMs: number, sessionExpiry: number): number =>
    Math.min(now + secretMs, sessionExpiry),
  /** Whether a channel's secret is a new one, by the number of descriptors given out before. */
  renews: (_channel: WorldChannel, _given: number): boolean => true,
  /** Whether descriptors given out before still work when fresh ones are. */
  keepsOldSecrets: true,
})
