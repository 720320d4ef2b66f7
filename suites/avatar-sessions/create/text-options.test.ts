import { expect, test } from 'vitest'
import { textsIn } from '#trace/json'
import { firstTextOptions, secondTextOptions } from './text-options.ts'

const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } }

test('texts so long that a correct service may refuse them stand in no option that it must take', () => {
  const options = [...firstTextOptions(profile), ...secondTextOptions(profile)]
  const long = options.filter(({ change }) =>
    [change.set, change.add].some((part = {}) => textsIn(part).some((text) => text.length > 500)),
  )
  expect(long.map(({ id, mayBeRefused }) => [id, mayBeRefused])).toEqual([
    ['instructions-long', true],
    ['assets-long', true],
  ])
})
