import { expect, test } from 'vitest'
import { classify } from './failure.ts'

const withCode = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })

test.each([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['Z_DATA_ERROR', 'protocol'],
  ['toString', 'protocol'],
])('%s is %s', (code, reason) => {
  expect(classify(withCode(code))).toEqual({ reason, message: `${code}: it failed` })
})

test.each([
  ['ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'],
  ['EPROTO', 'write EPROTO 40:error:0A000126:SSL routines::unexpected eof while reading'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', '40:error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error'],
])('a handshake that broke (%s) is a refused connection, not a wrong certificate', (code, message) => {
  expect(classify(withCode(code, message)).reason).toBe('refused')
})

test('the first of several attempts, or the cause, says why', () => {
  expect(classify(new AggregateError([withCode('ECONNREFUSED', 'connect ECONNREFUSED ::1')], ''))).toEqual({
    reason: 'refused',
    message: 'connect ECONNREFUSED ::1',
  })
  expect(classify(new Error('fetch failed', { cause: withCode('ENOTFOUND') })).reason).toBe('dns')
})

test('what is no error, and what is endless, is told shortly', () => {
  expect(classify('what').message).toBe('what')
  expect(classify(new Error('x'.repeat(9_000))).message).toHaveLength(500)
})
