import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequirementId } from '#spec/register'
import type { Scenario } from '../author/scenario.ts'
import { choose } from './choose.ts'
import type { Finds } from './finds.ts'

const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } } as const

const rows = (...ids: readonly string[]) => ids as readonly RequirementId[]

function scenario(id: string, requests: number, more: Partial<Scenario> = {}): Scenario {
  const price = { requests: { primary: requests }, sessions: { primary: 1 } }
  return { id, proves: [], price, drive: () => Promise.resolve(), ...more }
}

const finds = (mistakes: Finds['mistakes']): Finds => ({ format: 'greenroom.finds/2', mistakes })

/** Two requests stand before and after every run that makes sessions. */
const budget = (requests: number) => ({ requests: requests + 2 })

const ids = (scenarios: readonly Scenario[]) => scenarios.map(({ id }) => id)

test('what finds the most for its cost comes first, and what is found already counts no more', () => {
  const candidates = [scenario('a.dear', 10), scenario('b.cheap', 2), scenario('c.same', 2), scenario('d.other', 3)]
  const known = finds({ m1: ['a.dear', 'b.cheap'], m2: ['b.cheap', 'c.same'], m3: ['a.dear', 'd.other'] })
  const chosen = choose({ candidates, finds: known, profile, budget: budget(6) })
  expect(ids(chosen.selected)).toEqual(['b.cheap', 'd.other'])
  expect(chosen).toMatchObject({ found: 3, of: 3, requests: 7, by_key: { primary: 7 } })
})

test('parts that may be left out are taken one by one, and never without their scenario', () => {
  const optional = [
    { id: 'one', rows: rows('a.one', 'a.code'), requests: 1 },
    { id: 'two', rows: rows('a.two'), requests: 1 },
  ]
  const candidates = [scenario('a.creates', 4, { optional })]
  const known = finds({
    base: ['a.creates'],
    'a.one': ['a.creates +'],
    'a.two~late': ['a.creates +'],
    'a.two': ['a.creates +'],
  })
  const chosen = choose({ candidates, finds: known, profile, budget: budget(3) })
  expect(chosen).toMatchObject({
    found: 3,
    requests: 5,
    left_out: { 'a.creates': { ids: ['one'], rows: ['a.one', 'a.code'] } },
  })
  expect(choose({ candidates, finds: known, profile, budget: budget(1) }).selected).toEqual([])
  expect(choose({ candidates, finds: known, profile, budget: {} })).toMatchObject({ found: 4, left_out: {} })
})

test('what something optional needs is paid for and taken with it, once', () => {
  const optional = [
    { id: 'ground', rows: rows('a.ground'), requests: 2 },
    { id: 'one', rows: rows('a.one'), requests: 1, needs: ['ground'] },
    { id: 'two', rows: rows('a.two'), also: rows('a.one'), requests: 1, needs: ['ground'] },
  ]
  const candidates = [scenario('a.creates', 6, { optional })]
  const known = finds({ 'a.one': ['a.creates +'], 'a.two': ['a.creates +'], 'a.ground': ['a.creates +'] })
  const within = (requests: number) => choose({ candidates, finds: known, profile, budget: budget(requests) })
  expect(within(4)).toMatchObject({ found: 1, left_out: { 'a.creates': { ids: ['one', 'two'] } } })
  expect(within(5)).toMatchObject({ found: 2, left_out: { 'a.creates': { ids: ['one'] } } })
  expect(within(6)).toMatchObject({ found: 3, left_out: {} })
})

test('what joins others finds what these find, and comes in their place', () => {
  const joint = scenario('a.jointly', 2, { joins: ['a.one', 'a.two'] })
  const candidates = [scenario('a.one', 2), scenario('a.two', 2), joint, scenario('b.other', 2)]
  const known = finds({ m1: ['a.one', 'a.two'], m2: ['a.one'], m3: ['a.two'], m4: ['b.other'] })
  const within = (requests: number) => choose({ candidates, finds: known, profile, budget: budget(requests) })
  expect(ids(within(2).selected)).toEqual(['a.jointly'])
  expect(within(2)).toMatchObject({ found: 3, of: 4, requests: 4 })
  expect(ids(within(20).selected)).toEqual(['a.jointly', 'b.other'])
})

test('of a list in the first format, a scenario finds by all that its row needs now', () => {
  const candidates = [scenario('a.creates', 4, { optional: [{ id: 'one', rows: rows('a.one'), requests: 1 }] })]
  const known: Finds = { format: 'greenroom.finds/1', mistakes: { 'a.one': ['a.creates'], 'a.two': ['a.creates'] } }
  expect(choose({ candidates, finds: known, profile, budget: budget(3) }).found).toBe(1)
  expect(choose({ candidates, finds: known, profile, budget: budget(4) }).found).toBe(2)
})

test('time is that of the slowest key: what goes out by another one is free meanwhile', () => {
  const keys = { primary: 'KEY', other_workspace: 'OTHER' }
  const beside = scenario('b.beside', 0, { price: { requests: { other_workspace: 50 } } })
  const candidates = [scenario('a.first', 50), beside, scenario('c.second', 20)]
  const known = finds({ m1: ['a.first'], m2: ['b.beside'], m3: ['c.second'] })
  const within = (seconds: number) =>
    ids(choose({ candidates, finds: known, profile: { ...profile, keys }, budget: { seconds } }).selected)
  expect(within(60)).toEqual(['b.beside', 'c.second'])
  expect(within(120)).toEqual(['a.first', 'b.beside', 'c.second'])
})

test('only mistakes that count decide, and what comes first is whole', () => {
  const optional = [{ id: 'one', rows: rows('a.one'), requests: 1 }]
  const candidates = [scenario('a.own', 4, { optional }), scenario('b.needed', 2), scenario('c.not', 2)]
  const known = finds({ m1: ['a.own'], m2: ['b.needed'], m3: ['c.not'] })
  const chosen = choose({
    candidates,
    finds: known,
    profile,
    budget: {},
    wanted: (id) => id !== 'm3',
    first: ['a.own'],
  })
  expect(ids(chosen.selected)).toEqual(['a.own', 'b.needed'])
  expect(chosen).toMatchObject({ left_out: {}, found: 2, of: 2 })
})

test('looking anew only at the best chooses as looking anew at all of them does, and spends no more than it may', () => {
  const drawn = fc.record({
    costs: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
    shown: fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 1, maxLength: 30 }),
    spend: fc.integer({ min: 1, max: 40 }),
  })
  fc.assert(
    fc.property(drawn, ({ costs, shown, spend }) => {
      const candidates = costs.map((cost, nth) => scenario(`part.s${nth}`, cost))
      const known = Object.fromEntries(
        shown.map((by, nth) => [`m${nth}`, by.map((one) => `part.s${one % costs.length}`)]),
      )
      const chosen = choose({ candidates, finds: finds(known), profile, budget: budget(spend) })
      expect(chosen.selected.reduce((sum, { price }) => sum + (price.requests.primary ?? 0), 0)).toBeLessThanOrEqual(
        spend,
      )
      expect(chosen.found).toBe(greedily(costs, known, spend))
    }),
  )
})

/** The same, naively. */
function greedily(
  costs: readonly number[],
  known: { readonly [mistake: string]: readonly string[] },
  spend: number,
): number {
  const found = new Set<string>()
  let [left, open] = [spend, costs.map((cost, nth) => ({ id: `part.s${nth}`, cost }))]
  for (;;) {
    const worth = ({ id, cost }: { id: string; cost: number }) =>
      Object.entries(known).filter(([mistake, by]) => !found.has(mistake) && by.includes(id)).length / cost
    const [best] = open.toSorted((one, other) => worth(other) - worth(one))
    if (best === undefined || worth(best) === 0) return found.size
    open = open.filter((one) => one !== best)
    if (best.cost > left) continue
    left -= best.cost
    for (const [mistake, by] of Object.entries(known)) if (by.includes(best.id)) found.add(mistake)
  }
}
