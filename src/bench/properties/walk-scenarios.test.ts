import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import { priceOf, statefulAmong, walksAmong, within } from './walk-scenarios.ts'

const walks = walksAmong(await loadScenarios())

test('every part that walks is found by the ids of its scenarios', () => {
  const parts = new Set(walks.map(({ id }) => id.split('.')[0]))
  expect([...parts]).toEqual(expect.arrayContaining(['avatar-sessions', 'control-channel']))
})

test('a defect is stateful where a walk makes its row happen', () => {
  const stateful = statefulAmong(deviations().defects, walks)
  expect(stateful.length).toBeGreaterThan(100)
  expect(
    stateful.every(({ defect, walks: own }) =>
      own.every(({ proves }) => proves.some((row) => row === defect.requirement)),
    ),
  ).toBe(true)
})

test('a budget holds as many walks as their prices allow, cheap ones first', () => {
  const some = within(walks, 60)
  expect(some.reduce((sum, walk) => sum + priceOf(walk), 0)).toBeLessThanOrEqual(60)
  expect(some.length).toBeGreaterThan(1)
  expect(within(walks, 0)).toEqual([])
})
