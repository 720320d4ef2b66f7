import { expect, test } from 'vitest'
import type { RequirementId } from '#spec/register'
import { eachRowOnce, optionalFor, optionalRefusals, refusalsNeeding, sentOf } from './optional.ts'

const refusal = (...rows: readonly string[]) => ({ rows: rows as readonly RequirementId[] })
const table = [refusal('a.one', 'a.both'), refusal('a.two'), refusal('a.both', 'a.three'), refusal('a.four')]

test('refusals that share a row stay together', () => {
  expect(optionalRefusals(table.slice(0, 2), table.slice(2))).toEqual([
    { id: 'a.one', rows: ['a.one', 'a.both', 'a.three'], requests: 2 },
    { id: 'a.two', rows: ['a.two'], requests: 1 },
    { id: 'a.four', rows: ['a.four'], requests: 1 },
  ])
})

test('a refusal that joins two groups makes one of them', () => {
  const joined = [refusal('a.one'), refusal('a.two'), refusal('a.one', 'a.two')]
  expect(optionalRefusals(joined)).toEqual([{ id: 'a.one', rows: ['a.one', 'a.two'], requests: 3 }])
})

test('what is left out is not sent, and what still claims another row is', () => {
  const leavesOut = (row: string) => ['a.both', 'a.three', 'a.four'].includes(row)
  expect(sentOf({ leavesOut }, table)).toEqual([table[0], table[1]])
})

test('refusals need the bundles that carry what they spoil', () => {
  const on = (bundle: string, ...rows: readonly string[]) => ({ ...refusal(...rows), bundle })
  const table2 = [on('first', 'a.one'), on('second', 'a.two'), on('second', 'a.one')]
  expect(refusalsNeeding(({ bundle }) => [bundle], table2)).toEqual([
    { id: 'a.one', rows: ['a.one'], requests: 2, needs: ['first', 'second'] },
    { id: 'a.two', rows: ['a.two'], requests: 1, needs: ['second'] },
  ])
})

test('a row belongs to what shows it first, and is wanted of all that show it, with all that these need', () => {
  const rows = (...ids: readonly string[]) => ids as readonly RequirementId[]
  const optional = eachRowOnce([
    { id: 'one', rows: rows('a.one', 'a.both'), requests: 1 },
    { id: 'two', rows: rows('a.both', 'a.two'), requests: 1, needs: ['three'] },
    { id: 'three', rows: rows('a.three'), requests: 1, needs: ['four'] },
    { id: 'four', rows: [], requests: 1 },
  ])
  expect(optional.slice(0, 2)).toEqual([
    { id: 'one', rows: ['a.one', 'a.both'], requests: 1 },
    { id: 'two', rows: ['a.two'], also: ['a.both'], requests: 1, needs: ['three'] },
  ])
  const idsFor = (row: string) => [...optionalFor(optional, (one) => one === row)].map(({ id }) => id)
  expect(idsFor('a.both')).toEqual(['one', 'two', 'three', 'four'])
  expect(idsFor('a.one')).toEqual(['one'])
  expect(idsFor('a.none')).toEqual([])
})
