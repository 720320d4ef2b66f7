// Orders of the gates of a create (section 7) that avatar and world sessions vary alike.

/** A create is validated last. */
export const validatedLast = ['idempotency', 'concurrency', 'capacity', 'validation', 'permission', 'billing'] as const

/** A known key is answered before the body is looked at. */
export const keysBeforeBodies = [
  'billing',
  'permission',
  'idempotency',
  'validation',
  'capacity',
  'concurrency',
] as const
