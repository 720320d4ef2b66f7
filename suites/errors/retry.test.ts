import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { retries } from './retry.rules.ts'

const row = 'errors.retry.after-10008-same-key'
const create = 'create-avatar-session'
const failing = (code: number, status = 400) => ({ status, body: { code, message: 'no' } })

test.each<[string, number, 'broken' | undefined]>([
  ['a refusal for good', 30004, 'broken'],
  ['the balance is used up by now', 10005, undefined],
  ['billing was switched off', 10004, undefined],
  ['the key was revoked', 10003, undefined],
  ['the key lost its access', 10009, undefined],
  ['moderation thinks otherwise', 30001, undefined],
  ['the cap is reached', 30006, undefined],
])('what a retry after 10008 brings: %s (%d)', (_, code, verdict) => {
  const trace = new TraceBuilder()
  trace.rest(
    create,
    { body: { code: 0, message: 'ok', data: { session_id: 's' } } },
    { model: 'm', idempotency_key: 'a' },
  )
  trace.rest(create, failing(10008, 429), { model: 'm', idempotency_key: 'b' })
  trace.pass(60_000).rest(create, failing(code), { model: 'm', idempotency_key: 'b' })
  expect([...saidOf([retries], trace)]).toEqual(verdict === undefined ? [] : [`${verdict} ${row}`])
})
