import type { Override } from '#target/behaviour/behaviour'
import { around, set } from '#target/overrides/operators'

/** Get and List tell no status, as they may (4.1): what ends, or does not, shows by what can still be done. */
export const unshown: readonly Override[] = [
  set('views.got.status', () => undefined),
  set('views.listed.status', () => undefined),
]

/** Nor do connections: `session.closed` "may be missed" (6.2). */
export const untold: readonly Override[] = [
  ...unshown,
  around('lifecycle.closeOrder', (closeOrder) => closeOrder.filter((step) => step !== 'session.closed')),
]
