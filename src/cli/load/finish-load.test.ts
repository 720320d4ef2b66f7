import { expect, test } from 'vitest'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import type { Scope } from '#load/results/objectives'
import { scopeOf } from './finish-load.ts'

/** Names of the scenarios of which this is so. */
const those = (is: (scope: Scope) => boolean): readonly string[] =>
  [...scenarios.values()].filter((one) => is(scopeOf({ scenarios: [one] }))).map(({ name }) => name)

test('objectives hold for scenarios that can meet them', () => {
  const limits = ['concurrency-limit', 'rate-limit', 'create-storm']
  expect(those(({ hears_events }) => hears_events).toSorted()).toEqual([
    'control-throughput',
    'interrupt-storm',
    'reconnect-storm',
    'soak',
  ])
  expect(those(({ provokes }) => provokes).toSorted()).toEqual(limits.toSorted())
  expect(those(({ by_schedule }) => !by_schedule).toSorted()).toEqual(limits.toSorted())
})
