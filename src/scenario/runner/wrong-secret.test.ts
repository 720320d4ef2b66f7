import { expect, test } from 'vitest'
import { makeWrong, wrongSecret } from './wrong-secret.ts'

const own = 'cs_8rkw2Qx7mPzL4t=='

test.each(['longer', 'shorter', 'changed', 'other'] as const)('a secret made %s is known as such', (how) => {
  expect(makeWrong(own, how)).not.toBe(own)
  expect(wrongSecret(own, makeWrong(own, how))).toBe(how)
})

test('the own secret, none and an empty one are not wrong in any way', () => {
  expect([own, undefined, ''].map((used) => wrongSecret(own, used))).toEqual([undefined, undefined, undefined])
})
