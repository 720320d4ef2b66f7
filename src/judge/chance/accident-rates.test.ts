import { expect, test } from 'vitest'
import type { RowFindings } from '../findings.ts'
import { accidentRates } from './accident-rates.ts'
import { isNoAccident } from './chance.ts'

const why = 'the response failed'

/** A row that was borne out so often, and met so many accidents of one kind. */
function row(held: number, accidents: number): RowFindings {
  const open = Array.from({ length: accidents }, (_, place) => {
    const lines = [10 * place + 1]
    return { code: 'network', why, lines, eachTime: { expected: 'this', got: 'that', lines, times: 1 } } as const
  })
  return { held, evidence: [], breaches: [], unkept: 0, open, scenarios: new Set() }
}

test('accidents are counted where a row was borne out at other times', () => {
  expect(accidentRates([row(6, 2), row(9, 3), row(0, 5)]).get(why)).toBe(0.25)
  expect(accidentRates([row(0, 5), row(100, 0)]).get(why)).toBeUndefined()
})

test.each([
  ['twice where nothing like it came elsewhere', 2, 0, true],
  ['once', 1, 0, false],
  ['twice where it comes once in twenty times', 2, 0.05, false],
  ['four times where it comes once in twenty times', 4, 0.05, true],
  ['five times where it comes every third time', 5, 1 / 3, false],
  ['eleven times where it comes every third time', 11, 1 / 3, true],
])('what comes %s', (_, times, rate, is) => {
  expect(isNoAccident(times, rate)).toBe(is)
})
