import type { DeniedOperation, Profile } from '#spec/profile'

/**
 * Whether the key `access_denied` must be turned away from an operation: a key may lack access to one model or operation
 * and have it to the others, so only the profile can say. Without a list it is the create of avatar sessions.
 */
export function denies({ denies: listed = ['create-avatar-session'] }: Profile, operation: DeniedOperation): boolean {
  return listed.includes(operation)
}
