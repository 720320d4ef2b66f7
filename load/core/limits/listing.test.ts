import { expect, test } from 'vitest'
import { statusIn } from './listing.ts'

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
