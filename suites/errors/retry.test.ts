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

const made = (session_id: string) => ({ body: { code: 0, message: 'ok', data: { session_id } } })
const asked = (idempotency_key: string) => ({ model: 'm', idempotency_key })

test('a second limiter, with a code of its own under 429, asks for another try', () => {
  const trace = new TraceBuilder()
  trace.rest(create, made('s'), asked('a'))
  trace.rest(create, failing(10008, 429), asked('b'))
  trace.pass(60_000).rest(create, failing(42901, 429), asked('b'))
  expect([...saidOf([retries], trace)]).toEqual([])
})

test('a key may be told that a create runs whose answer never came', () => {
  const trace = new TraceBuilder()
  trace.rest(create, made('s'), asked('a'))
  trace.rest(create, failing(10008, 429), asked('b'))
  trace.rest(create, 'timeout', asked('b'))
  trace.rest(create, failing(40901, 409), asked('b'))
  expect([...saidOf([retries], trace)]).toEqual([])
  trace.pass(600_000).rest(create, failing(40901, 409), asked('b'))
  expect([...saidOf([retries], trace)]).toEqual([`broken ${row}`])
})

test('in a recording the body is a good one only where it was taken before and afterwards, and stays refused', () => {
  const trace = new TraceBuilder({ recording: 'watch' })
  trace.rest(create, made('s'), asked('a'))
  trace.rest(create, failing(10008, 429), asked('b'))
  trace.rest(create, failing(30004), asked('b'))
  expect([...saidOf([retries], trace)]).toEqual([])
  trace.rest(create, made('t'), asked('c'))
  expect([...saidOf([retries], trace)]).toEqual([])
  trace.pass(60_000).rest(create, failing(30004), asked('b'))
  trace.rest(create, made('u'), asked('d'))
  expect([...saidOf([retries], trace)]).toEqual([`broken ${row}`])
})

test('a fault sticks to its key where it lasts longer than a part of the service is away', () => {
  const stuck = (pause: number) => {
    const trace = new TraceBuilder()
    trace.rest(create, failing(50001, 503), asked('bad'))
    for (let round = 0; round < 18; round += 1) {
      trace.rest(create, made(`s${round}`), asked(`fresh-${round}`))
      trace.pass(pause).rest(create, failing(50001, 503), asked('bad'))
    }
    return [...saidOf([retries], trace)]
  }
  expect(stuck(1_200)).toEqual([])
  expect(stuck(1_800)).toEqual(['broken errors.retry.after-5xx-same-key'])
})
