import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { list } from './list.rules.ts'

const row = 'avatar-sessions.list.shows-open-sessions'

/** After so long reads show what was written (`timeouts.lag_ms`). */
const lag_ms = 2_000

/** A list whose words speak of pages. */
function page(trace: TraceBuilder, ...items: readonly string[]): void {
  const data = { items, next_page_token: 'more' }
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
}

/** Get shows it open: nobody else knows, since a service may end a session by itself (3.1). */
function seenOpen(trace: TraceBuilder, session: string): void {
  const data = { session_id: session, status: 'active' }
  const path = `/v1/realtime-avatar/sessions/${session}`
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', path)
}

test('a page that shows an older and a younger session shows those between', () => {
  const trace = new TraceBuilder()
  for (const [id, key] of ['ab', 'cd', 'ef']) trace.created(`session-${id}`, `key-${key}`)
  page(trace, 'session-a', 'session-e')
  expect(saidOf([list], trace)).not.toContain(`broken ${row}`)
  seenOpen(trace, 'session-c')
  expect(saidOf([list], trace)).toContain(`broken ${row}`)
})

test.each<[string, Json]>([
  ['addresses', [{ href: 'https://target.example/v1/realtime-avatar/sessions/session-a?view=short' }]],
  ['a text', 'session-b\nsession-a'],
  ['encoded addresses', { links: ['/v1/realtime-avatar/sessions/session%2Da'] }],
])('a list may show sessions by %s', (_, data) => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
  seenOpen(trace, 'session-a')
  expect(saidOf([list], trace)).toContain(`held ${row}`)
  expect(saidOf([list], trace)).not.toContain(`broken ${row}`)
})

test('a longer id is another one', () => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  const data = [{ href: '/v1/realtime-avatar/sessions/session-ab' }]
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
  seenOpen(trace, 'session-a')
  expect(saidOf([list], trace)).toContain(`broken ${row}`)
})

test('a session may have ended by itself where Get, whose payload is not shown, does not say how it fares', () => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: [] } })
  const blank = { body: { code: 0, message: 'ok', data: { session_id: 'session-a' } } }
  trace.rest('get-avatar-session', blank, {}, 'primary', '/v1/realtime-avatar/sessions/session-a')
  expect(saidOf([list], trace)).not.toContain(`broken ${row}`)
  seenOpen(trace, 'session-a')
  expect(saidOf([list], trace)).toContain(`broken ${row}`)
})

test('a session is as old as the first create of its key, answered or not', () => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.rest('create-avatar-session', 'timeout', { idempotency_key: 'key-b' })
  trace.created('session-c', 'key-c')
  trace.created('session-b', 'key-b')
  page(trace, 'session-a', 'session-b')
  seenOpen(trace, 'session-c')
  expect(saidOf([list], trace)).not.toContain(`broken ${row}`)
})

test('a list that was asked for sooner may lack a session, and says nothing', () => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: [] } })
  expect([...saidOf([list], trace)].filter((said) => said.includes('shows-open'))).toEqual([`unobserved ${row}`])
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: [] } })
  seenOpen(trace, 'session-a')
  expect(saidOf([list], trace)).toContain(`broken ${row}`)
})

test.each<[what: string, data: Json, whole: boolean]>([
  ['its total', { sessions: [], total: 0 }, true],
  ['its count, as a string', { sessions: ['session-x'], count: '1' }, true],
  ['no token of a next page', { sessions: [], next_page_token: '' }, true],
  ['that there is no more', { sessions: [], page: false, has_more: false, cursor: null }, true],
  ['a higher total', { sessions: ['session-x'], total: 2 }, false],
  ['a number of pages', { sessions: ['session-x', 'session-y'], page_count: 2 }, false],
  ['a token of a next page', { sessions: [], next_page_token: 'more' }, false],
  ['that there is more', { sessions: [], has_more: true }, false],
])('a list that tells %s', (_, data, whole) => {
  const trace = new TraceBuilder()
  trace.created('session-a', 'key-a')
  trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
  seenOpen(trace, 'session-a')
  expect(saidOf([list], trace).has(`broken ${row}`)).toBe(whole)
})

test('a session that ended by itself may be listed until it is closed, and while that close cleans up', () => {
  const hides = 'avatar-sessions.list.hides-closed-sessions'
  const trace = new TraceBuilder()
  const listed = { body: { code: 0, message: 'ok', data: ['session-a'] } }
  const closed = { body: { code: 0, message: 'ok', data: { session_id: 'session-a', status: 'closed' } } }
  const path = '/v1/realtime-avatar/sessions/session-a'
  trace.created('session-a', 'key-a')
  trace.rest('get-avatar-session', closed, {}, 'primary', path)
  trace.pass(lag_ms).rest('list-avatar-sessions', listed)
  trace.rest('close-avatar-session', closed, {}, 'primary', `${path}/close`)
  trace.rest('get-avatar-session', closed, {}, 'primary', path)
  trace.pass(5 * lag_ms).rest('list-avatar-sessions', listed)
  expect(saidOf([list], trace)).not.toContain(`broken ${hides}`)
  trace.pass(30_000).rest('list-avatar-sessions', listed)
  expect(saidOf([list], trace)).not.toContain(`broken ${hides}`)
  trace.pass(30_000).rest('list-avatar-sessions', listed)
  expect(saidOf([list], trace)).toContain(`broken ${hides}`)
})

test('one whose duration was over when it was closed may have ended by itself before, though nobody looked', () => {
  const hides = 'avatar-sessions.list.hides-closed-sessions'
  const answer = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
  const said = (passed_ms: number) => {
    const trace = new TraceBuilder()
    const path = '/v1/realtime-avatar/sessions/session-a'
    trace.rest('create-avatar-session', answer({ session_id: 'session-a' }), { max_duration_seconds: 4 })
    trace.pass(passed_ms).rest('close-avatar-session', answer({}), {}, 'primary', `${path}/close`)
    trace.rest('get-avatar-session', answer({ session_id: 'session-a', status: 'closed' }), {}, 'primary', path)
    trace.pass(5 * lag_ms).rest('list-avatar-sessions', answer(['session-a']))
    return saidOf([list], trace).has(`broken ${hides}`)
  }
  expect(said(1_000)).toBe(true)
  expect(said(4_700)).toBe(false)
})

test('a session may be listed for a moment after it was closed', () => {
  const hides = 'avatar-sessions.list.hides-closed-sessions'
  const trace = new TraceBuilder()
  const data = { session_id: 'session-a', status: 'closed' }
  const listed = { body: { code: 0, message: 'ok', data: ['session-a'] } }
  trace.created('session-a', 'key-a')
  const path = '/v1/realtime-avatar/sessions/session-a'
  trace.rest('close-avatar-session', { body: { code: 0, message: 'ok', data: {} } }, {}, 'primary', `${path}/close`)
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', path)
  trace.rest('list-avatar-sessions', listed)
  expect(saidOf([list], trace)).not.toContain(`broken ${hides}`)
  trace.pass(lag_ms).rest('list-avatar-sessions', listed)
  expect(saidOf([list], trace)).toContain(`broken ${hides}`)
})

test('a session of another workspace stands nowhere in a list, unless a count is spelt like its id', () => {
  const hides = 'avatar-sessions.list.hides-other-workspaces'
  const said = (theirs: string, beside: Json) => {
    const trace = new TraceBuilder()
    trace.created('session-a', 'key-a')
    const made = { body: { code: 0, message: 'ok', data: { session_id: theirs } } }
    trace.rest('create-avatar-session', made, {}, 'other_workspace')
    const data = { sessions: [{ session_id: 'session-a' }], beside }
    trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
    return saidOf([list], trace)
  }
  expect(said('session-b', { session_id: 'session-b' })).toContain(`broken ${hides}`)
  expect(said('60', { session_id: '60' })).toContain(`broken ${hides}`)
  expect(said('60', { limit: '60' })).toContain(`held ${hides}`)
})

test('a list says nothing where a part is asked for, or where it is not known by whose key', () => {
  const said = (key: string, query: string) => {
    const trace = new TraceBuilder({ recording: 'watch' })
    const path = '/v1/realtime-avatar/sessions'
    const answer = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
    trace.rest('create-avatar-session', answer({ session_id: 'session-a' }), {}, key, path)
    trace.pass(lag_ms).rest('list-avatar-sessions', answer([]), {}, key, `${path}${query}`)
    trace.rest(
      'get-avatar-session',
      answer({ session_id: 'session-a', status: 'active' }),
      {},
      key,
      `${path}/session-a`,
    )
    return saidOf([list], trace).has(`broken ${row}`)
  }
  expect(said('unlisted-1', '')).toBe(true)
  expect(said('unlisted-1', '?status=closed')).toBe(false)
  expect(said('unlisted', '')).toBe(false)
})

test('a list may tell of a closed session at a place of its own', () => {
  const hides = 'avatar-sessions.list.hides-closed-sessions'
  const trace = new TraceBuilder()
  const listed = (data: Json) => {
    trace.pass(lag_ms).rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data } })
  }
  trace.created('session-a', 'key-a')
  trace.created('session-b', 'key-b')
  const path = '/v1/realtime-avatar/sessions/session-a'
  const data = { session_id: 'session-a', status: 'closed' }
  trace.rest('close-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', `${path}/close`)
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', path)
  listed({ sessions: [{ id: 'session-b', before: 'session-a' }], ended: ['session-a'] })
  expect(saidOf([list], trace)).not.toContain(`broken ${hides}`)
  listed({ sessions: [{ id: 'session-b' }, { id: 'session-a' }] })
  expect(saidOf([list], trace)).toContain(`broken ${hides}`)
})
