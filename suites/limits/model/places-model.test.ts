import { expect, test } from 'vitest'
import { explain } from '#judge/orders/orders'
import { type Deed, placesModel } from './places-model.ts'

const common = { lines: [], scenario: undefined }
const create = (id: string, from: number, until: number): Deed => ({ ...common, did: 'create', id, from, until })
const end = (id: string, at: number): Deed => ({ ...common, did: 'end', id, from: at, until: at })

const is = (...deeds: readonly Deed[]) => explain(deeds, placesModel(2)).is

test('as many sessions are open as there are places, and no more', () => {
  expect(is(create('a', 1, 2), create('b', 3, 4))).toBe('legal')
  expect(is(create('a', 1, 2), create('b', 3, 4), create('c', 5, 6))).toBe('broken')
})

test('of creates at once only as many are accepted as there are places', () => {
  expect(is(create('a', 1, 2), create('b', 3, 8), create('c', 4, 7))).toBe('broken')
  expect(is(create('a', 1, 2), create('b', 3, 8), create('b', 4, 7))).toBe('legal')
})

test('a place may be free as soon as its session is asked to close', () => {
  expect(is(create('a', 1, 2), create('b', 3, 4), end('a', 5), create('c', 6, 7))).toBe('legal')
})

test('a create beside a close may find its place', () => {
  expect(is(create('a', 1, 2), create('b', 3, 4), create('c', 5, 9), end('a', 6))).toBe('legal')
  expect(is(create('a', 1, 2), create('b', 3, 4), create('c', 5, 6), end('a', 7))).toBe('broken')
})
