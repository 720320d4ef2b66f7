import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SecretFilter } from './secrets.ts'

const filterOf = (...secrets: readonly string[]): SecretFilter => {
  const filter = new SecretFilter('run')
  for (const secret of secrets) filter.learn(secret, 'client_secret')
  return filter
}

test('a secret is replaced wherever it stands, also as URLs write it', () => {
  const filter = filterOf('a secret/1')
  const instead = filter.learn('a secret/1', 'client_secret')
  expect(instead).toMatch(/^\[client_secret \d+\]$/)
  expect(filter.text('a secret/1, ?token=a%20secret%2F1&x=1')).toBe(`${instead}, ?token=${instead}&x=1`)
  expect(filter.text('a secret/2')).toBe('a secret/2')
})

test('of two secrets that begin alike, each has its own stand-in', () => {
  const filter = filterOf('cs_0123456789abc', 'cs_0123456789abcdef', 'cs_01')
  const [middle, long, short] = ['cs_0123456789abc', 'cs_0123456789abcdef', 'cs_01'].map((one) => filter.text(one))
  expect(new Set([middle, long, short]).size).toBe(3)
  expect(filter.text('cs_0123456789abcdef cs_0123456789abc cs_012')).toBe(`${long} ${middle} ${short}2`)
})

test('whatever was learned, no secret is left', () => {
  const secrets = fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(secrets, fc.array(fc.nat(9)), (learned, order) => {
      const filter = filterOf(...learned)
      const parts = order.map((at) => learned[at] ?? '\u{1f512}')
      // Between parts stands what no secret holds, so that two parts together are none.
      const text = parts.join('\u{1f511}')
      const wanted = parts.map((part) => (learned.includes(part) ? filter.learn(part, '') : part)).join('\u{1f511}')
      fc.pre(!learned.some((secret) => /[\u{1f511}\u{1f512}]/u.test(secret)))
      expect(filter.text(text)).toBe(wanted)
    }),
  )
})
