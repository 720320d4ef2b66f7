import { expect, test } from 'vitest'
import { explain } from '../orders/orders.ts'
import { type Deed, keyModel } from './key-model.ts'

const never = Number.POSITIVE_INFINITY
const common = { body: 'a', lines: [], scenario: undefined }
const made = (id: string, from: number, until: number, body = 'a'): Deed => ({
  ...common,
  did: 'create',
  id,
  from,
  until,
  body,
})
const lost = (from: number): Deed => ({ ...common, did: 'create', id: undefined, from, until: never })
const end = (id: string, from: number): Deed => ({ ...common, did: 'end', id, from, until: never })

const is = (...history: readonly Deed[]) => explain(history, keyModel({ comparesBodies: true })).is

test('a key gives what it gave', () => {
  expect(is(made('s1', 1, 2), made('s1', 3, 4))).toBe('legal')
  expect(is(made('s1', 1, 2), made('s2', 3, 4))).toBe('broken')
})

test('creates at once make one session, whichever comes first', () => {
  expect(is(made('s1', 1, 8), made('s1', 2, 6), made('s1', 3, 7))).toBe('legal')
  expect(is(made('s1', 1, 8), made('s2', 2, 6), made('s1', 3, 7))).toBe('broken')
})

test('a create whose answer was lost may have made the session, and no second one', () => {
  expect(is(lost(1), made('s1', 3, 4), made('s1', 5, 6))).toBe('legal')
  expect(is(lost(1), made('s1', 3, 4), made('s2', 5, 6))).toBe('broken')
})

test('after its session was asked to close a key may return anything', () => {
  expect(is(made('s1', 1, 2), end('s1', 3), made('s1', 4, 5))).toBe('legal')
  expect(is(made('s1', 1, 2), end('s1', 3), made('s2', 4, 5))).toBe('legal')
  expect(is(made('s1', 1, 2), made('s2', 3, 4), end('s1', 5))).toBe('broken')
})

test('another body is a conflict where bodies count', () => {
  expect(is(made('s1', 1, 2), made('s1', 3, 4, 'b'))).toBe('broken')
  expect(is(made('s1', 1, 2), made('s2', 3, 4, 'b'))).toBe('broken')
  const open = keyModel({ comparesBodies: false })
  expect(explain([made('s1', 1, 2), made('s2', 3, 4, 'b')], open).is).toBe('legal')
})

test('a conflict leaves the key with its first body', () => {
  expect(is(made('s1', 1, 2), lost(3), made('s1', 5, 6))).toBe('legal')
})
