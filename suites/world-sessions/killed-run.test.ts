import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { Run } from '#testing/hand-made-worlds'
import { rules } from './rules.ts'

/** A run was killed while it made a session; this one sends the create again with its key when the session has ended. */
test.each<[who: string, scenario: string | undefined, row: boolean]>([
  ['cleanup', undefined, false],
  ['a scenario', 'world-sessions.life', true],
])('a create with a key that %s sends may show what became of a session meanwhile, or not', (_, scenario, row) => {
  const run = new Run((_name, data) => ({ ...data, status: 'closed' }))
  run.create('w-old', { idempotency_key: 'k-dead' })
  for (const entry of run.trace.entries) if (entry.kind !== 'header') Object.assign(entry, { scenario })
  expect(saidOf(rules, run.trace).has('broken world-sessions.status.in-set-on-create')).toBe(row)
})
