import { expect, test } from 'vitest'
import { nearMisses } from './secrets.ts'

test.each(['cs_4f9a81', 'st+/Zm9vYmFyYmF6cXV4==', 'm', '0123456789'])(
  'near misses of %s are three other secrets',
  (secret) => {
    const near = nearMisses(secret)
    expect(new Set([...near, secret]).size).toBe(4)
    expect(near.map(({ length }) => length - secret.length)).toEqual([1, 0, -1])
  },
)

test('padding stays at the end', () => {
  expect(nearMisses('abcd==')).toEqual(['abcdx==', 'abmd==', 'abc=='])
})
