import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keysOf, type Measures, Tally } from './tally.ts'

const measures: Measures<'drinks', 'wait_ms'> = { counts: { drinks: ['tea', 'coffee', 'other'] }, times: ['wait_ms'] }

/** What can happen: a drink, or a wait. */
const happenings = fc.array(
  fc.oneof(fc.constantFrom('tea', 'coffee', 'milk'), fc.double({ min: 0, max: 1e5, noNaN: true })),
)

function tallyOf(events: readonly (string | number)[]): Tally<'drinks', 'wait_ms'> {
  const tally = new Tally(measures)
  for (const event of events) {
    if (typeof event === 'string') tally.count('drinks', event)
    else tally.time('wait_ms').record(event)
  }
  return tally
}

test('tallies add up through JSON, in any parts', () => {
  fc.assert(
    fc.property(fc.array(happenings, { maxLength: 4 }), (parts) => {
      const merged = new Tally(measures)
      for (const part of parts) merged.addJson(JSON.parse(JSON.stringify(tallyOf(part).takeOut())))
      expect(merged.takeOut()).toEqual(tallyOf(parts.flat()).takeOut())
    }),
  )
})

test('what is not in the list counts as other', () => {
  expect(tallyOf(['tea', 'milk', 'beer']).takeOut()).toEqual({ drinks: { tea: 1, other: 2 } })
})

test('a total is over all keys or over some', () => {
  const tally = tallyOf(['tea', 'tea', 'milk'])
  expect(tally.total('drinks')).toBe(3)
  expect(tally.total('drinks', ['tea', 'coffee'])).toBe(2)
})

test('what is taken out adds up to the whole, and is out', () => {
  fc.assert(
    fc.property(fc.array(happenings, { maxLength: 4 }), (parts) => {
      const [tally, sum] = [new Tally(measures), new Tally(measures)]
      for (const part of parts) {
        tally.addJson(tallyOf(part).takeOut())
        sum.addJson(tally.takeOut())
      }
      expect(sum.takeOut()).toEqual(tallyOf(parts.flat()).takeOut())
      expect(tally.takeOut()).toEqual({})
    }),
  )
})

test.each([{ cakes: { lemon: 1 } }, { drinks: { beer: 1 } }])('numbers of other measures are refused: %j', (json) => {
  expect(() => new Tally(measures).addJson(json)).toThrow('nothing measures')
})

test('every number of a tally has a declared key', () => {
  const declared = new Map(keysOf(measures).map(({ name, keys }) => [name, new Set(keys)]))
  fc.assert(
    fc.property(happenings, (events) => {
      for (const [name, numbers] of Object.entries(tallyOf(events).takeOut()))
        for (const key of Object.keys(numbers)) expect(declared.get(name)?.has(key)).toBe(true)
    }),
  )
})
