import { expect, test } from 'vitest'
import { ownFailure } from './own-failure.ts'

const error = (type: string, code = '') => ({ type: 'error', error: { type, code, message: 'no' } })

test.each([
  ['server_error', '', 'failure'],
  ['internal', '', 'failure'],
  ['api_error', '', 'failure'],
  ['ProviderError', '', 'failure'],
  ['upstream_failure', '', 'failure'],
  ['oops', 'generation_failed', 'failure'],
  ['unknown_error', '', 'failure'],
  ['overloaded_error', '', 'limit'],
  ['oops', 'rate_limited', 'limit'],
  ['invalid_request_error', 'too_many_requests', 'limit'],
  ['invalid_request_error', 'server_side', undefined],
  ['oops', 'E-17', undefined],
  ['oops', 'unknown_event', undefined],
  ['not_found', '', undefined],
  ['validation_error', 'provider_unsupported', undefined],
])('an error of type %s and code %s tells of a %s of the service', (type, code, tells) => {
  expect(ownFailure(error(type, code))).toBe(tells)
})
