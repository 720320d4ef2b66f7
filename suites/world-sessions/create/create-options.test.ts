import { expect, test } from 'vitest'
import { at, isObject } from '#trace/json'
import { firstOptions } from './create-options.ts'

const offers = {
  exchange: 1,
  image: undefined,
  audio: undefined,
  types: new Set<string>(),
  liveAudio: false,
  automatic: false,
  references: 0,
  images: 0,
}

test('a key of metadata that looks like a path is refused without the others', () => {
  const keys = firstOptions(offers, undefined).map(({ part }) => {
    const metadata = at(part, '/metadata')
    return isObject(metadata) ? Object.keys(metadata) : []
  })
  expect(keys.filter((some) => some.some((key) => key.includes('/')))).toEqual([['x-take/2']])
})
