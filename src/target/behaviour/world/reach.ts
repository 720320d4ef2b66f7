import type { WorldSession } from '#target/worlds/session'
import type { ErrorCode } from '../codes.ts'

/** Which sessions the operations find, and in which state they serve them. */
export const worldReach = () => ({
  /** Whether an operation finds a session that its key may see. */
  finds: (_session: WorldSession, _operation: string): boolean => true,
  /** Operations that take an unknown id for good. */
  trusts: (_operation: string): boolean => false,
  /** The code for a session that is missing, or known but not to be seen. */
  unseen: (_operation: string, _known: boolean): ErrorCode => '20005',
  /** A session that may not be seen is nevertheless closed. */
  closesUnseen: false,
  /** Create Client Secret is "for an active session"; `undefined` = served. */
  secretRefusal: ({ status }: WorldSession, _key: string | undefined): ErrorCode | undefined => {
    if (status === 'active') return undefined
    return status === 'provisioning' ? '30004' : '20005'
  },
  /** Whether a close is refused; "Repeating with the same key is safe", and here any repeating is. */
  closeRefusal: (_session: WorldSession, _key: string | undefined): ErrorCode | undefined => undefined,
})
