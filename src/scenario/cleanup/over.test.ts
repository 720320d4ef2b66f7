import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import type { Json } from '#trace/json'
import { shownState } from './over.ts'

function shown(data: Json): Exchange {
  const body = { code: 0, message: 'ok', data }
  return { exchange: 1, status: 200, code: 0, ok: true, message: 'ok', body, data, headers: {}, failure: undefined }
}

test.each<[data: Json, sight: string]>([
  [{ status: 'closed' }, 'over'],
  [{ status: 'active' }, 'open'],
  [{ session: { lifecycle: { status: 'closed' } } }, 'over'],
  [{ session: { lifecycle: { status: 'active' }, last: 'closed' } }, 'open'],
  [{ session: { id: 'a' } }, 'hidden'],
])('the payload of Get is not shown: %j', (data, sight) => {
  expect(shownState('avatar-session', shown(data))).toBe(sight)
})

test('a world session that is provisioned need not be closed before it is active', () => {
  expect(shownState('world-session', shown({ status: 'provisioning' }))).toBe('early')
  expect(shownState('world-session', shown({ status: 'active' }))).toBe('open')
})
