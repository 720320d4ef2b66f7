import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import { unitsOf } from './units.ts'

const key = 'a3f09c1d-5f0e-4b7a-9d63-0c1e2f3a4b5c'

test.each<[string, string | undefined, boolean, boolean]>([
  ['begins with a create without a key', undefined, false, true],
  ['begins with a create with a key', key, false, true],
  ['is older than a create that comes after its first connection', key, true, false],
])('a session %s', (_, idempotencyKey, connected, begins) => {
  const trace = new TraceBuilder({ recording: 'watch' })
  if (connected) trace.opened('s')
  trace.created('s', idempotencyKey)
  expect(unitsOf(indexTrace(trace.entries)).sessions.get('s')?.created).toBe(begins)
})
