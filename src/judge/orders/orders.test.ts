import { expect, test } from 'vitest'
import { explain, leastOf, type Model, type Timed } from './orders.ts'

/** A register that is written and read, as in the examples of Porcupine. */
interface Deed extends Timed {
  readonly write?: number
  readonly read?: number
}

const register: Model<number, Deed> = {
  start: [0],
  step: (value, { write, read }) => (write === undefined ? (read === value ? [value] : []) : [write]),
  nameOf: String,
}

const write = (value: number, from: number, until: number): Deed => ({ write: value, from, until })
const read = (value: number, from: number, until: number): Deed => ({ read: value, from, until })
const never = Number.POSITIVE_INFINITY

const is = (...history: readonly Deed[]) => explain(history, register).is

test('one after the other, a read shows the last write', () => {
  expect(is(write(1, 1, 2), read(1, 3, 4))).toBe('legal')
  expect(is(write(1, 1, 2), read(0, 3, 4))).toBe('broken')
})

test('a read beside a write shows the old value or the new one', () => {
  expect(is(write(1, 1, 9), read(0, 2, 3), read(1, 4, 5))).toBe('legal')
  expect(is(write(1, 1, 9), read(1, 2, 3), read(0, 4, 5))).toBe('broken')
})

test('writes beside each other take any order, but one for all readers', () => {
  const writes = [write(1, 1, 4), write(2, 1, 4)]
  expect(is(...writes, read(2, 5, 6), read(2, 7, 8))).toBe('legal')
  expect(is(...writes, read(1, 5, 6), read(1, 7, 8))).toBe('legal')
  expect(is(...writes, read(1, 5, 6), read(2, 7, 8))).toBe('broken')
})

test('what was never answered may be done late, or not at all', () => {
  expect(is(write(1, 1, never), read(0, 2, 3), read(1, 4, 5))).toBe('legal')
  expect(is(write(1, 1, never), read(0, 2, 3), read(0, 4, 5))).toBe('legal')
  expect(is(write(1, 1, never), read(1, 2, 3), read(0, 4, 5))).toBe('broken')
})

test('what was never answered and changes nothing is left undone, however much of it there is', () => {
  const lost = Array.from({ length: 14 }, () => write(1, 1, never))
  expect(is(...lost, read(1, 2, 3), read(1, 4, 5))).toBe('legal')
  expect(is(...lost, read(1, 2, 3), read(0, 4, 5))).toBe('broken')
})

test('what takes no time is done after what was answered then, and before what was asked', () => {
  expect(is(write(1, 1, 2), write(2, 2, 2), read(2, 3, 4))).toBe('legal')
  expect(is(write(1, 1, 2), write(2, 2, 2), read(1, 3, 4))).toBe('broken')
  expect(is(write(2, 2, 2), write(1, 2, 3), read(2, 4, 5))).toBe('broken')
})

test('what was answered when something else was asked came before it', () => {
  expect(is(write(1, 1, 2), read(0, 2, 3))).toBe('broken')
})

// The histories of `TestRegisterModel` of Porcupine: one that can be, one that cannot.
test('histories of which others know whether they are linearizable are told apart', () => {
  expect(is(write(100, 0, 100), read(100, 25, 75), read(0, 30, 60))).toBe('legal')
  expect(is(write(200, 0, 100), read(200, 10, 30), read(0, 40, 90))).toBe('broken')
})

test('the place and the truths are those of the answer that nothing explains', () => {
  const found = explain([write(1, 1, 2), write(2, 3, 6), read(1, 4, 5), read(7, 7, 8)], register)
  expect(found).toMatchObject({ is: 'broken', place: 3 })
  expect(found.is === 'broken' ? found.believed.get(3) : []).toEqual([2])
})

/** A counter that anybody may take a number from: a step with several ends. */
const lottery: Model<string, Timed & { readonly drawn: string }> = {
  start: ['ab', 'cd'],
  step: (left, { drawn }) => (left.includes(drawn) ? [left.replace(drawn, '')] : []),
  nameOf: String,
}

test('several starts and several ends are kept until something tells', () => {
  expect(explain([{ drawn: 'c', from: 1, until: 2 }], lottery).is).toBe('legal')
  const mixed = ['c', 'a'].map((drawn, place) => ({ drawn, from: place * 2, until: place * 2 + 1 }))
  expect(explain(mixed, lottery)).toMatchObject({ is: 'broken', place: 1 })
})

test('too many truths are no mistake', () => {
  const bag: Model<string, Deed> = {
    start: [''],
    step: (had, { write: value = 0 }) => [`${had},${value}`],
    nameOf: String,
  }
  const many = Array.from({ length: 9 }, (_, place) => write(place, 1, 2))
  expect(explain(many, bag).is).toBe('overflow')
})

test('what a fault does not need is left out', () => {
  const history = [write(1, 1, 2), read(1, 3, 4), write(2, 5, 6), read(2, 7, 8), read(1, 9, 10)]
  const isBroken = (shorter: readonly Deed[]) => explain(shorter, register).is === 'broken'
  expect(leastOf(history, 4, isBroken)).toEqual([write(2, 5, 6), read(1, 9, 10)])
})
