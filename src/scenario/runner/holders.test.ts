import { expect, test } from 'vitest'
import { envelope } from '#testing/fake-service'
import type { Json } from '#trace/json'
import { holdersOf } from './holders.ts'
import { Pool } from './pool.ts'

/** What a look tells: ours is `ours-1`, closed a while ago, and Get shows this state of it. */
async function look(list: Json, state: string, lag_ms = -1, elsewhere: readonly string[] = []) {
  const pool = new Pool()
  pool.opened('ours-1')
  pool.closed('ours-1')
  return holdersOf(pool, {
    list: () => Promise.resolve(envelope(0, list)),
    get: () => Promise.resolve(state === '20005' ? envelope(20005) : envelope(0, { status: state })),
    known: new Set([...pool.known, ...elsewhere]),
    lag_ms,
  })
}

const ours = { sessions: [{ session_id: 'ours-1' }] }

test.each<[string, Json, string, string]>([
  ['somebody else is there', { sessions: [{ session_id: 'ours-1' }, { session_id: 'theirs' }] }, 'closed', 'others'],
  ['nobody is there', { sessions: [], next_page_token: '' }, 'closed', 'nobody'],
  ['what was closed is forgotten', { sessions: [] }, '20005', 'nobody'],
  ['what was closed goes on', ours, 'active', 'stuck'],
  ['what was closed is about to end', ours, 'closing', 'ending'],
  ['a list that shows none of ours may show others', { sessions: [{ name: 'x' }] }, 'closed', 'unknown'],
  ['no state is shown', { sessions: [] }, 'odd', 'unknown'],
])('%s', async (_, list, state, expected) => {
  expect(await look(list, state)).toBe(expected)
})

test('a read that may lag behind the close proves nothing yet', async () => {
  expect(await look(ours, 'active', 60_000)).toBe('ending')
})

test('what the run made through another key of the same workspace holds a place of it, and is waited for', async () => {
  const list = { sessions: [{ session_id: 'ours-2' }] }
  expect(await look(list, 'closed', -1, ['ours-2'])).toBe('others')
})
