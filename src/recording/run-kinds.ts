import type { Entry } from '#trace/entry'

/** What only a run writes, since it speaks of Greenroom's own scenarios: a recording of others' traffic has none of it. */
export const runKinds: ReadonlySet<Entry['kind']> = new Set([
  'scenario-start',
  'scenario-end',
  'claim',
  'wait',
  'mark',
  'halt',
  'harness-error',
  'cleanup',
])
