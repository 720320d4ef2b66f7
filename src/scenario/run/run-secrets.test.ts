import { expect, test } from 'vitest'
import { knownSecrets } from './run-secrets.ts'

test('the password of a proxy is known as it stands and decoded, with a stray percent sign too', () => {
  const known = knownSecrets({ keys: {}, headers: {}, proxy: 'http://user:50%40off%@proxy.example' })
  expect(known.map(({ value }) => value)).toEqual(['50%40off%', '50@off%'])
})
