import { expect, test } from 'vitest'
import { saidOf } from '../../src/testing/said-of.ts'
import { TraceBuilder } from '../../src/testing/trace-builder.ts'
import { list } from './lifecycle-list.rules.ts'

const row = 'avatar-sessions.list.shows-open-sessions'

/** A list whose words speak of pages. */
function page(trace: TraceBuilder, ...items: readonly string[]): void {
  const data = { items, next_page_token: 'more' }
  trace.rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
}

test('a page that shows an older and a younger session shows those between', () => {
  const trace = new TraceBuilder()
  for (const [id, key] of ['ab', 'cd', 'ef']) trace.created(`session-${id}`, `key-${key}`)
  page(trace, 'session-a', 'session-e')
  expect(saidOf([list], trace)).toContain(`broken ${row}`)
})

test('a session is as old as the first create of its key, answered or not', () => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.rest('create-avatar-session', 'timeout', { idempotency_key: 'key-b' })
  trace.created('session-c', 'key-c')
  trace.created('session-b', 'key-b')
  page(trace, 'session-a', 'session-b')
  expect(saidOf([list], trace)).not.toContain(`broken ${row}`)
})
