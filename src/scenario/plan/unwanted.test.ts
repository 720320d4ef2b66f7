import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { loadScenarios } from './catalogue.ts'
import { readFinds } from './finds.ts'
import { rowOf, waysToFind } from './known.ts'
import { outlayOf } from './outlay.ts'
import { select, type Selection } from './selection.ts'

const scenarios = (await loadScenarios()).map((one) => ({ ...one, needs: {} }))
const finds = readFinds()
const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } }
const ids = [...requirements.keys()]

const narrowed = new Map<string, Selection>()

function narrowedTo(row: string): Selection {
  const selection =
    narrowed.get(row) ?? select({ scenarios, profile, keys: ['primary'], tier: 'full', only: [row], requirements: ids })
  narrowed.set(row, selection)
  return selection
}

test('a run that is narrowed to a row does all that is known to show one of its mistakes', () => {
  const ways = waysToFind(finds, scenarios, { ...profile, keys: {} })
  const known = [...ways].flatMap(([mistake, by]) => {
    const row = rowOf(mistake)
    const meant = by.filter(({ scenario }) => scenario.proves.some((one) => one === row))
    return meant.length === 0 ? [] : [{ mistake, row, by: meant }]
  })
  expect(known.length).toBeGreaterThan(1_000)
  const missed = known.filter(({ row, by }) => {
    const { selected, left_out = {} } = narrowedTo(row)
    const driven = new Set(selected.flatMap(({ id, replaces = [] }) => [id, ...replaces]))
    const isDone = ({ scenario, optional }: (typeof by)[number]): boolean =>
      driven.has(scenario.id) && ![...optional].some(({ id }) => left_out[scenario.id]?.ids.includes(id) === true)
    return !by.some(isDone)
  })
  expect(missed.map(({ mistake }) => mistake)).toEqual([])
})

test('two in three single rows cost at most twelve requests, also in the tier full with its long walks', () => {
  const prices = ids.flatMap((row) => {
    const { selected, left_out = {} } = narrowedTo(row)
    return selected.length === 0 ? [] : [outlayOf(selected, left_out, profile).requests]
  })
  expect(prices.filter((price) => price <= 12).length / prices.length).toBeGreaterThan(2 / 3)
})

test.each(scenarios.filter(({ optional = [] }) => optional.length > 0).map((one) => [one.id, one] as const))(
  'what %s may leave out is named once, needs what there is, and costs no more than all of it',
  (_, { optional = [], price }) => {
    const names = optional.map(({ id }) => id)
    expect(names).toEqual([...new Set(names)])
    const rows = optional.flatMap((one) => one.rows)
    expect(rows).toEqual([...new Set(rows)])
    expect(optional.flatMap(({ needs = [] }) => needs).filter((id) => !names.includes(id))).toEqual([])
    const typical = price.typical ?? Object.values(price.requests).reduce((sum, count) => sum + count, 0)
    expect(optional.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThan(typical)
  },
)

test('each requirement that can be judged is listed by a scenario, apart from those that any answer shows', () => {
  const listed = new Set(scenarios.flatMap((one) => one.proves))
  const unlisted = [...requirements.values()].filter(
    ({ id, standing, passive }) => standing !== 'untestable' && passive !== true && !listed.has(id),
  )
  expect(unlisted.map(({ id }) => id).filter((id) => !id.startsWith('errors.envelope.'))).toEqual([])
})
