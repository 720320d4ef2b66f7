import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

test.each([
  [429, '10008', 'rate'],
  [429, '30006', 'concurrency'],
  [429, '30008', 'capacity'],
  [429, 'no-envelope', 'throttled'],
  [429, '30004', 'throttled'],
  // The code decides, also under another status.
  [200, '30008', 'capacity'],
  [503, '30006', 'concurrency'],
  [502, '30007', 'server'],
  [503, 'no-envelope', 'server'],
  [500, '0', 'server'],
  [408, 'no-envelope', 'server'],
  [0, 'network', 'network'],
  [400, '30004', 'request'],
  [404, '20005', 'request'],
  [409, '40900', 'final'],
  [403, 'no-envelope', 'network'],
  [401, '10003', 'final'],
  [200, 'no-envelope', 'final'],
] as const)('%d with %s is %s', (status, code, refusal) => {
  expect(refusalOf({ status, code, data: {} })).toBe(refusal)
})

test('a success is no refusal', () => {
  expect(refusalOf({ status: 200, code: '0', data: {} })).toBeUndefined()
})
