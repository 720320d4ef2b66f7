import { expect, test } from 'vitest'
import type { FailureEntry, ResponseEntry } from '#trace/entry'
import { whyUnreachable } from './unreachable.ts'

const failure: FailureEntry = {
  kind: 'failure',
  t: 1,
  exchange: 1,
  attempt: 1,
  reason: 'tls',
  message: 'SELF_SIGNED: no; use X',
}
const response: ResponseEntry = { kind: 'response', t: 1, exchange: 1, attempt: 1, status: 404, headers: {}, bytes: 0 }

test('a failed connection says what to do', () => {
  expect(whyUnreachable('no reply (tls)', [response, failure])).toBe(
    'the target was not reached: TLS failed; where its certificate has an authority of its own, name that in ca_file of a profile ("npx greenroom init --probe URL --ca-file FILE" writes one) (SELF_SIGNED: no)',
  )
})

test('where the TLS handshake broke, something listens there', () => {
  const message = 'Client network socket disconnected before secure TLS connection was established'
  expect(whyUnreachable('no reply (refused)', [{ ...failure, reason: 'refused', message }])).toBe(
    `the target was not reached: the connection was cut; is it https, and the right port? (${message})`,
  )
})

test('a reply that is no answer keeps the reason of the preflight', () => {
  expect(whyUnreachable('it was too late', [failure, response])).toBe('it was too late')
  expect(whyUnreachable('no reply bears an envelope', [failure, response])).toBe(
    'no reply bears an envelope; is base_url the address of this interface?',
  )
  expect(whyUnreachable('the primary key is refused with 10003', [response])).toBe(
    'the primary key is refused with 10003; put a valid API key into the variable of keys.primary',
  )
  expect(whyUnreachable('no reply', [])).toBe('no reply')
})
