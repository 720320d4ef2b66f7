import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { spoil } from '#client/http/spoilt-key'
import { makeWrong } from '#scenario/runner/wrong-secret'
import { spoiltWays, type SpoiltWay, wrongWays, type WrongSecret } from '#trace/stand-ins'
import { kit } from './kit.ts'
import { nearlyRight } from './nearly-right.ts'

interface Made {
  readonly wrong: (way: WrongSecret, own?: string) => string
}

const inScript = runInNewContext(`${nearlyRight}; ({ cut, marred, turned, wrong })`) as Made &
  Record<SpoiltWay, (key: string) => string>

const samples = [
  'gr_Key-7f3a',
  'ABC123def',
  '0123456789',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '01arz3ndektsv4rrffq69g5fav',
  'cs_8rkw2Qx7mPzL4t==',
  'xxxx',
  'mmmm=',
  'É',
  '',
]

test('a script brings along how keys and secrets are spoilt', () => {
  expect(kit).toContain(nearlyRight)
})

test.each(spoiltWays)('a key is %s in a script as in a run', (way) => {
  const same = (key: string): void => {
    expect(inScript[way](key)).toBe(spoil(key, way))
  }
  samples.forEach(same)
  fc.assert(fc.property(fc.string(), same))
})

test.each(wrongWays)('a secret is made %s in a script as in a run', (way) => {
  const same = (own: string): void => {
    expect(inScript.wrong(way, own)).toBe(makeWrong(own, way))
  }
  samples.forEach(same)
  fc.assert(fc.property(fc.string(), same))
})
