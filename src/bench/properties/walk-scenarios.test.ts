import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import { register } from '#judge/register'
import { leftOut, statefulModels } from './stateful-rows.ts'
import { leftOutAmong, priceOf, statefulAmong, walksAmong, within } from './walk-scenarios.ts'

const walks = walksAmong(await loadScenarios())

test('every part that walks is found by the ids of its scenarios', () => {
  const parts = new Set(walks.map(({ id }) => id.split('.')[0]))
  expect([...parts]).toEqual(expect.arrayContaining(['avatar-sessions', 'control-channel']))
})

const { defects } = deviations()

test('a defect is stateful where a model holds its rule; a key and its limit are gone through by their scenario', () => {
  const stateful = statefulAmong(defects, walks)
  expect(stateful.length).toBeGreaterThan(350)
  const rate = stateful.filter(({ model }) => model === 'rate of a key')
  expect(rate.length).toBeGreaterThan(0)
  expect(rate.every((one) => one.walks.map(({ id }) => id).join() === 'limits.rate-limit')).toBe(true)
})

test('models name rows and walks that there are', () => {
  const rows = new Set(register().rows.keys())
  const held = statefulModels.flatMap(({ holds }) =>
    Object.entries(holds).flatMap(([subject, names]) => names.split(' ').map((name) => `${subject}.${name}`)),
  )
  expect(held.filter((row) => !rows.has(row))).toEqual([])
  const ids = new Set(walks.map(({ id }) => id))
  expect(statefulModels.flatMap((model) => model.walks).filter((id) => !ids.has(id))).toEqual([])
})

test('what a walk is meant to show and does not count is left out for a reason that says so', () => {
  const counts = leftOutAmong(defects)
  expect([...counts.keys()].every((why) => leftOut.some((one) => one.why === why))).toBe(true)
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
})

test('a budget holds as many walks as their prices allow, cheap ones first', () => {
  const some = within(walks, 60)
  expect(some.reduce((sum, walk) => sum + priceOf(walk), 0)).toBeLessThanOrEqual(60)
  expect(some.length).toBeGreaterThan(1)
  expect(within(walks, 0)).toEqual([])
})
