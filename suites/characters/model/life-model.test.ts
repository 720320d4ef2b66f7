import { expect, test } from 'vitest'
import { explain } from '#judge/orders/orders'
import { timed } from '#testing/walks/timed'
import { type Deed, lifeModel, mixed } from './life-model.ts'

const never = Number.POSITIVE_INFINITY
const create = 1

/** A deed between two moments; its exchange is the first of them. */
const deed = (did: Deed['did'], between: readonly [number, number], more: Partial<Deed> = {}): Deed => ({
  ...timed(between),
  did,
  exchange: between[0],
  ...more,
})

const missing = { ended: 'missing' } as const
const is = (...deeds: readonly Deed[]) => explain(deeds, lifeModel(create)).is

test('a deleted character is found by nobody', () => {
  for (const did of ['get', 'replace', 'delete', 'start'] as const) {
    expect(is(deed('delete', [2, 3]), deed(did, [4, 5], missing))).toBe('legal')
    expect(is(deed('delete', [2, 3]), deed(did, [4, 5]))).toBe('broken')
  }
})

test('a stored character is found by everybody', () => {
  for (const did of ['get', 'replace', 'start'] as const) {
    expect(is(deed(did, [2, 3]))).toBe('legal')
    expect(is(deed(did, [2, 3], missing))).toBe('broken')
  }
  expect(is(deed('delete', [2, 3]))).toBe('legal')
})

test('a delete that finds nothing may be the second one that a proxy sent: the character is gone then', () => {
  expect(is(deed('delete', [2, 3], missing), deed('get', [4, 5], missing))).toBe('legal')
  expect(is(deed('delete', [2, 3], missing), deed('get', [4, 5]))).toBe('broken')
})

test('what is shown is what was saved last', () => {
  const replace = deed('replace', [2, 3])
  expect(is(deed('get', [4, 5], { shown: create }))).toBe('legal')
  expect(is(replace, deed('get', [4, 5], { shown: 2 }))).toBe('legal')
  expect(is(replace, deed('get', [4, 5], { shown: create }))).toBe('broken')
})

test('of two replaces at once either may come last, and no mixture of both', () => {
  const both = [deed('replace', [2, 8]), deed('replace', [3, 7])]
  expect(is(...both, deed('get', [9, 10], { shown: 2 }))).toBe('legal')
  expect(is(...both, deed('get', [9, 10], { shown: 3 }))).toBe('legal')
  expect(is(...both, deed('get', [9, 10], { shown: mixed }))).toBe('broken')
  expect(is(...both, deed('get', [9, 10], { shown: 2 }), deed('get', [11, 12], { shown: 3 }))).toBe('broken')
})

test('a replace beside a delete comes before it or finds nothing', () => {
  const both = [deed('replace', [2, 8]), deed('delete', [3, 7])]
  expect(is(...both, deed('get', [9, 10], missing))).toBe('legal')
  expect(is(...both, deed('get', [9, 10], { shown: 2 }))).toBe('broken')
  expect(is(deed('replace', [2, 8], missing), deed('delete', [3, 7]))).toBe('legal')
})

test('a delete whose answer was lost may have been done, at any time', () => {
  const lost = deed('delete', [2, never])
  expect(is(lost, deed('get', [4, 5]), deed('get', [6, 7], missing))).toBe('legal')
  expect(is(lost, deed('get', [4, 5], missing), deed('get', [6, 7]))).toBe('broken')
})

test('a replace whose answer was lost may show later', () => {
  const lost = deed('replace', [2, never])
  expect(is(lost, deed('get', [4, 5], { shown: create }), deed('get', [6, 7], { shown: 2 }))).toBe('legal')
  expect(is(lost, deed('get', [4, 5], { shown: 2 }), deed('get', [6, 7], { shown: create }))).toBe('broken')
})

test('a delete of a stored character is refused by nobody; one of a deleted character may be told so by any code', () => {
  const refused = { ended: 'refused' } as const
  expect(is(deed('delete', [2, 3], refused))).toBe('broken')
  expect(is(deed('delete', [2, 3]), deed('delete', [4, 5], refused))).toBe('legal')
  expect(is(deed('delete', [2, never], { ended: 'lost' }), deed('delete', [4, 5], refused))).toBe('legal')
})
