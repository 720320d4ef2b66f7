import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentsOf, segmentTrouble, WHOLE } from './segments.ts'

test('one process has all of the load', () => {
  expect(segmentsOf(1)).toEqual([undefined])
  expect(segmentTrouble([WHOLE])).toBeUndefined()
})

test('four processes have a quarter each', () => {
  expect(segmentsOf(4).map((one) => one?.own)).toEqual(['0:1/4', '1/4:2/4', '2/4:3/4', '3/4:1'])
  expect(segmentsOf(4)[2]?.all).toBe('0,1/4,2/4,3/4,1')
})

test('the segments of any number of processes are whole in any order, and without any one of them they are not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(), fc.nat(), (processes, turn, lost) => {
      const own = segmentsOf(processes).map((one) => one?.own ?? WHOLE)
      const turned = [...own.slice(turn % processes), ...own.slice(0, turn % processes)]
      expect(segmentTrouble(turned)).toBeUndefined()
      expect(segmentTrouble(turned.toSpliced(lost % processes, 1))).toMatch(/^the segment from \S+ to \S+ is missing$/)
      expect(segmentTrouble([...turned, turned[lost % processes] ?? ''])).toMatch(/twice, or overlaps/)
    }),
  )
})

test.each([
  [['0:1/2', WHOLE], 'the segment 0:1 is there twice, or overlaps another'],
  [['0:1/3', '2/3:1'], 'the segment from 1/3 to 2/3 is missing'],
  [['1/2', '1/2:1'], undefined],
  [['0:1/2', 'half'], '"half" is no segment'],
  [[''], '"" is no segment'],
])('%j: %s', (own, trouble) => {
  expect(segmentTrouble(own)).toBe(trouble)
})
