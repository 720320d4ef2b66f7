import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { capacity } from './capacity.rules.ts'
import { channelFailures } from './channel.rules.ts'
import { retries as retryRule } from './retry.rules.ts'
import { scarcity } from './scarcity.rules.ts'

const list = 'list-avatar-sessions'
const create = 'create-avatar-session'
const ok = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
const no = (code: number, status = 429, headers: { readonly [name: string]: string } = {}) => ({
  status,
  headers,
  body: { code, message: 'no' },
})

describe('codes of scarcity', () => {
  test.each<[string, ReturnType<typeof no>, readonly string[]]>([
    [
      'a 10008 as it should be',
      no(10008, 429, { 'retry-after': '3' }),
      [
        'held errors.code-10008.status-429',
        'held errors.code-10008.retry-after-present',
        'held limits.api-key-rate.retry-after',
        'held errors.code-10008.retry-after-readable',
        'saw errors.code-10008.retry-after-form: seconds',
      ],
    ],
    [
      'a date',
      no(10008, 429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
      ['held errors.code-10008.retry-after-readable', 'saw errors.code-10008.retry-after-form: date'],
    ],
    [
      'no Retry-After',
      no(10008),
      ['broken errors.code-10008.retry-after-present', 'broken limits.api-key-rate.retry-after'],
    ],
    ['words', no(10008, 429, { 'retry-after': 'soon' }), ['broken errors.code-10008.retry-after-readable']],
    ['a fraction', no(10008, 429, { 'retry-after': '1.5' }), ['broken errors.code-10008.retry-after-readable']],
    [
      'a timestamp',
      no(10008, 429, { 'retry-after': '2026-01-01T00:00:00Z' }),
      ['broken errors.code-10008.retry-after-readable'],
    ],
    ['another status', no(10008, 503, { 'retry-after': '3' }), ['broken errors.code-10008.status-429']],
    ['30006', no(30006), ['held errors.code-30006.status-429', 'held errors.code-30006.no-retry-after']],
    ['30006 with Retry-After', no(30006, 429, { 'retry-after': '3' }), ['broken errors.code-30006.no-retry-after']],
    ['30006 with another status', no(30006, 403), ['broken errors.code-30006.status-429']],
    ['30008', no(30008), ['held errors.code-30008.status-429', 'held errors.code-30008.no-retry-after']],
    ['30008 with Retry-After', no(30008, 429, { 'retry-after': '3' }), ['broken errors.code-30008.no-retry-after']],
    ['another code', no(30004, 400, { 'retry-after': '3' }), []],
  ])('%s', (_, response, expected) => {
    const trace = new TraceBuilder()
    trace.rest(create, response)
    const all = saidOf([scarcity], trace)
    for (const one of expected) expect(all).toContain(one)
    if (expected.length === 0) expect(all.size).toBe(0)
    if (!expected.some((one) => one.startsWith('broken'))) expect([...all].join()).not.toContain('broken')
  })
})

describe('30006 for want of capacity', () => {
  const row = 'errors.code-30008.capacity-exceeded'
  function trace(sessions: Json, code: number): ReadonlySet<string> {
    const one = new TraceBuilder()
    one.created('ses-1111')
    one.rest(list, ok({ sessions: [{ id: 'ses-1111' }] }))
    one.rest(list, ok({ sessions }), {}, 'capacity_exhausted')
    one.rest(create, no(code), {}, 'capacity_exhausted')
    return saidOf([capacity], one)
  }

  test('in an empty workspace it is the wrong code', () => {
    expect(trace([], 30006)).toContain(`broken ${row}`)
  })

  test('with sessions there it may be right', () => {
    expect(trace([{ id: 'ses-9999' }], 30006).size).toBe(0)
  })

  test('30008 is no matter of this rule', () => {
    expect(trace([], 30008).size).toBe(0)
  })
})

describe('retries with one idempotency key', () => {
  const again = { model: 'm', idempotency_key: 'k' }
  const [fault, rate] = ['errors.retry.after-5xx-same-key', 'errors.retry.after-10008-same-key']

  function after(...responses: readonly Parameters<TraceBuilder['rest']>[1][]): ReadonlySet<string> {
    const trace = new TraceBuilder()
    trace.rest(create, ok({ session_id: 'other' }), { model: 'm', idempotency_key: 'other' })
    // Twice the time in which a create is answered lies between: none is still running.
    for (const response of responses) trace.pass(20_000).rest(create, response, again)
    return saidOf([retryRule], trace)
  }

  test('a refusal that comes sooner may say that the create is in progress', () => {
    const trace = new TraceBuilder()
    trace.rest(create, ok({ session_id: 'other' }), { model: 'm', idempotency_key: 'other' })
    trace.rest(create, { status: 503, text: '' }, again)
    trace.pass(5_000).rest(create, no(30004, 409), again)
    expect([...saidOf([retryRule], trace)]).toEqual([])
  })

  test.each<[string, readonly Parameters<TraceBuilder['rest']>[1][], string | undefined]>([
    ['a session after a 5xx', [{ status: 503, text: '' }, ok({ session_id: 'a' })], `held ${fault}`],
    ['a session after an unlisted code with 500', [no(50000, 500), ok({ session_id: 'a' })], `held ${fault}`],
    ['a refusal after a 5xx', [{ status: 503, text: '' }, no(30004, 400)], `broken ${fault}`],
    ['a listed refusal that travels with 500', [no(30004, 500), no(30004, 500)], undefined],
    ['scarcity after a 5xx', [{ status: 503, text: '' }, no(30006)], undefined],
    ['a session after 10008', [no(10008), ok({ session_id: 'a' })], `held ${rate}`],
    ['a refusal after 10008', [no(10008), no(30004, 400)], `broken ${rate}`],
    ['10008 again', [no(10008), no(10008)], undefined],
  ])('%s', (_, responses, expected) => {
    expect([...after(...responses)]).toEqual(expected === undefined ? [] : [expected])
  })

  test('a body that never gets through is no proof', () => {
    const trace = new TraceBuilder()
    trace.rest(create, { status: 503, text: '' }, again)
    trace.rest(create, no(30004, 400), again)
    expect(saidOf([retryRule], trace).size).toBe(0)
  })
})

describe('faults that stick to an idempotency key', () => {
  const fault = { status: 500, text: '' }
  /** Retries of one key, four seconds apart, each after a create of the same body under a key of its own. */
  function rounds(retries: readonly boolean[], between: readonly boolean[] = [true]): ReadonlySet<string> {
    const trace = new TraceBuilder()
    trace.rest(create, fault, { model: 'm', idempotency_key: 'k' })
    for (const [round, good] of retries.entries()) {
      for (const [place, well] of between.entries()) {
        const body = { model: 'm', idempotency_key: `fresh-${round}-${place}` }
        trace.rest(create, well ? ok({ session_id: `s${round}-${place}` }) : fault, body)
      }
      trace.pass(4_000)
      trace.rest(create, good ? ok({ session_id: 'k' }) : fault, { model: 'm', idempotency_key: 'k' })
    }
    return saidOf([retryRule], trace)
  }
  const all = (length: number): boolean[] => Array.from({ length }, () => false)
  const row = 'broken errors.retry.after-5xx-same-key'

  test.each<[string, ReadonlySet<string>, boolean]>([
    ['while each other create succeeds', rounds(all(10)), true],
    ['too seldom to be no chance', rounds(all(2)), false],
    ['while half of the others fail too: too seldom', rounds(all(6), [false, true]), false],
    ['while half of the others fail too', rounds(all(20), [false, true]), true],
    ['while everything fails', rounds(all(30), [false]), false],
    ['and at last the key recovers', rounds([...all(20), true]), false],
  ])('%s', (_, said, stuck) => {
    expect(said.has(row)).toBe(stuck)
  })
})

describe('failures on a channel', () => {
  const row = 'errors.channel.failures-are-events'
  test.each<[string, Json, readonly string[]]>([
    ['an error event', { type: 'error', event_id: 'e', error: { type: 't', message: 'no' } }, [`held ${row}`]],
    ['an envelope', { code: 30004, message: 'no', data: {} }, [`broken ${row}`]],
    ['an event with a code', { type: 'session.closed', code: 7, message: 'bye' }, []],
    ['an envelope of a success', { code: 0, message: 'ok', data: {} }, []],
  ])('%s', (_, frame, expected) => {
    const trace = new TraceBuilder()
    trace.received(trace.opened(), frame)
    expect([...saidOf([channelFailures], trace)]).toEqual(expected)
  })
})
