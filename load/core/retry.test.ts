import { expect, test } from 'vitest'
import { retryAfter } from './retry.ts'

test.each(['network', 'http-5xx', '30008'])(
  '%s passes: three more attempts, with full jitter that doubles',
  (refusal) => {
    expect([1, 2, 3, 4].map((attempts) => retryAfter(refusal, attempts, 1))).toEqual([400, 800, 1_600, undefined])
    expect(retryAfter(refusal, 1, 0.25)).toBe(100)
  },
)

test.each(['10003', '10008', '30004', '30006', 'no-envelope', 'other'])('%s is not tried again', (refusal) => {
  expect(retryAfter(refusal, 1, 1)).toBeUndefined()
})
