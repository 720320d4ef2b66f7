import { expect, test } from 'vitest'
import { before } from '#trace/conditions'
import type { Entry } from '#trace/entry'
import { BudgetSpent } from '../errors.ts'
import { createBudget } from './budget.ts'
import { resumeFrom } from './resume.ts'

test('an empty trace begins at the beginning', () => {
  expect(resumeFrom([])).toEqual({
    start_numbers: { exchange: 0, channel: 0, frame: 0, claim: 0, mark: 0 },
    sent_times: {},
    sent_before: 0,
  })
})

test('numbers go on after what was used, and after what a claim only reserved', () => {
  const entries: Entry[] = [
    {
      kind: 'request',
      t: 5,
      exchange: 3,
      attempt: 1,
      operation: null,
      method: 'GET',
      path: '/',
      key: 'primary',
      headers: {},
    },
    {
      kind: 'request',
      t: 9,
      exchange: 3,
      attempt: 2,
      operation: null,
      method: 'GET',
      path: '/',
      key: 'primary',
      headers: {},
    },
    { kind: 'frame-sent', t: 10, channel: 2, frame: 7, data: {} },
    {
      kind: 'claim',
      t: 11,
      claim: 4,
      requirement: 'x',
      condition: {
        is: 'all',
        of: [{ is: 'rejected', exchange: 8, twin: 12 }, before({ mark: 6 }, { channel: 15, edge: 'opened' })],
      },
      given: [{ is: 'equals', left: { sent: 30, path: '' }, right: { value: { exchange: 'x' } } }],
    },
  ]
  expect(resumeFrom(entries)).toEqual({
    start_numbers: { exchange: 12, channel: 15, frame: 30, claim: 4, mark: 6 },
    sent_times: { primary: [5, 9] },
    sent_before: 2,
  })
})

test('what other processes sent counts against what a run may send', () => {
  const budget = createBudget(3, () => 0, 2)
  budget.spend('run')
  expect(() => budget.spend('run')).toThrow(BudgetSpent)
  // Cleanup may always go on.
  expect(() => budget.spend('look')).toThrow(BudgetSpent)
  budget.spend('cleanup')
  expect(budget.spent).toBe(4)
})
