import { expect, test } from 'vitest'
import { isLeaving, isOver, statusIn } from './listing.ts'

test.each([
  ['0', { status: 'failed', history: ['active'] }, 'failed'],
  ['0', { status: 'ok', session: { status: 'closed' } }, 'closed'],
  ['0', { session: { state: 'active' } }, 'active'],
  ['0', { past: ['active', 'closing'] }, 'unsure'],
  ['0', { past: ['failed', 'closed'] }, 'failed'],
  ['0', { id: 'ses_1' }, undefined],
  ['20005', {}, 'closed'],
] as const)('what Get tells with code %s and %j is read as %s', (code, data, status) => {
  expect(statusIn(code, data)).toBe(status)
})

test.each([
  ['active', false, false],
  ['closing', true, false],
  ['closed', true, true],
  ['failed', true, true],
  [undefined, false, false],
])('of a session that is %s: is it leaving? %j; is it over? %j', (status, leaving, over) => {
  expect([isLeaving(status), isOver(status)]).toEqual([leaving, over])
})
