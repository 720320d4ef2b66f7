import { expect, test } from 'vitest'
import type { RequirementId } from '#spec/register'
import { optionalRefusals, sentOf } from './optional.ts'

const refusal = (...rows: readonly string[]) => ({ rows: rows as readonly RequirementId[] })
const table = [refusal('a.one', 'a.both'), refusal('a.two'), refusal('a.both', 'a.three'), refusal('a.four')]

test('refusals that share a row stay together', () => {
  expect(optionalRefusals(table.slice(0, 2), table.slice(2))).toEqual([
    { rows: ['a.one', 'a.both', 'a.three'], requests: 2 },
    { rows: ['a.two'], requests: 1 },
    { rows: ['a.four'], requests: 1 },
  ])
})

test('a refusal that joins two groups makes one of them', () => {
  const joined = [refusal('a.one'), refusal('a.two'), refusal('a.one', 'a.two')]
  expect(optionalRefusals(joined)).toEqual([{ rows: ['a.one', 'a.two'], requests: 3 }])
})

test('what is left out is not sent, and what still claims another row is', () => {
  const leavesOut = (row: string) => ['a.both', 'a.three', 'a.four'].includes(row)
  expect(sentOf({ leavesOut }, table)).toEqual([table[0], table[1]])
})
