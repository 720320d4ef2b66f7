import { subtleItemDefects } from './subtle/items.ts'
import { subtleKindDefects } from './subtle/kinds.ts'
import { subtleLifetimeDefects } from './subtle/lifetime.ts'
import { subtleResponseDefects } from './subtle/responses.ts'
import { subtleSchedulingDefects } from './subtle/scheduling.ts'
import { subtleSessionDefects } from './subtle/session.ts'

/** Mistakes that show only at an edge: the second time, in company of another, or after something failed. */
export const subtleDefects = [
  ...subtleSchedulingDefects,
  ...subtleResponseDefects,
  ...subtleItemDefects,
  ...subtleKindDefects,
  ...subtleSessionDefects,
  ...subtleLifetimeDefects,
]
