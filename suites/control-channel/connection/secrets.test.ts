import { expect, test } from 'vitest'
import { nearMisses } from './secrets.ts'

test.each(['cs_4f9a81', 'm', '0123456789', 'A1B2'])('near misses of %s are three other secrets', (secret) => {
  const near = nearMisses(secret)
  expect(new Set([...near, secret]).size).toBe(4)
  expect(near.map(({ length }) => length - secret.length)).toEqual([2, 0, -1])
})

test('padding stays at the end', () => {
  expect(nearMisses('abcd==')).toEqual(['abcd11==', 'abmd==', 'abc=='])
})

test('a secret of capitals and small letters is another with all of them turned', () => {
  expect(nearMisses('st+/Zm9vYmFy==').at(-1)).toBe('ST+/zM9VyMfY==')
})
