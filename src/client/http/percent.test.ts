import { expect, test } from 'vitest'
import { percentDecoded } from './percent.ts'

test('what is encoded is decoded, and a stray percent sign stands for itself', () => {
  expect(['a%40b', '100%', '%zz%41', '%E4%BD%A0', '%ff'].map(percentDecoded)).toEqual([
    'a@b',
    '100%',
    '%zzA',
    '你',
    '%ff',
  ])
})
