import { describe, expect, test } from 'vitest'
import { outcomeIn } from '#testing/outcome-in'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import * as say from '#trace/conditions'
import type { Json } from '#trace/json'

const ok = (data: Json): { body: Json } => ({ body: { code: 0, message: 'ok', data } })
const no = (code: number): { status: number; body: Json } => ({ status: 400, body: { code, message: 'no' } })

describe('accepted', () => {
  test.each([
    ['code 0', ok({}), 'held'],
    ['another code', no(30004), 'broken'],
    ['the rate limit', no(10008), 'unobserved: quota'],
    ['the concurrency limit', no(30006), 'unobserved: quota'],
    ['a key that never worked', no(10003), 'unobserved: prerequisite'],
    ['an empty object', { body: {} }, 'broken'],
    ['a code that is a string', { body: { code: '0', message: 'ok' } }, 'broken'],
    ["a proxy's 502", { status: 502, text: '<html>' }, 'unobserved: network'],
    ['a timeout', 'timeout' as const, 'unobserved: network'],
    ['the end of the run', 'aborted' as const, 'unobserved: interrupted'],
  ])('%s', (_, response, expected) => {
    const trace = new TraceBuilder()
    const exchange = trace.rest('create-avatar-session', response)
    expect(outcomeIn(trace, say.accepted(exchange))).toBe(expected)
  })

  test('a refused key that worked elsewhere in the run breaks it', () => {
    const trace = new TraceBuilder()
    trace.rest('list-avatar-sessions', ok({}))
    expect(outcomeIn(trace, say.accepted(trace.rest('create-avatar-session', no(10003))))).toBe('broken')
  })

  test.each([10004, 10005, 10009])('%i to a key that may list and starts nothing is no fault of the target', (code) => {
    const trace = new TraceBuilder()
    trace.rest('list-avatar-sessions', ok({}))
    expect(outcomeIn(trace, say.accepted(trace.rest('create-avatar-session', no(code))))).toBe(
      'unobserved: prerequisite',
    )
    expect(outcomeIn(trace, say.accepted(trace.rest('get-avatar-session', no(code))))).toBe('broken')
    trace.rest('create-world-session', ok({}))
    // A balance may be used up in the middle of a run (5.6); what a key was granted stays.
    const later = code === 10009 ? 'broken' : 'unobserved: network'
    expect(outcomeIn(trace, say.accepted(trace.rest('create-avatar-session', no(code))))).toBe(later)
  })

  test('a request that was never sent is unobserved', () => {
    expect(outcomeIn(new TraceBuilder(), say.accepted(99))).toBe('unobserved: prerequisite')
  })
})

describe('rejected', () => {
  test.each([
    ['the listed code', no(30004), [30004], 'held'],
    ['another code than listed', no(20004), [30004], 'broken'],
    ['any code where none is listed', no(20004), undefined, 'held'],
    ['success', ok({}), [30004], 'broken'],
    ['success where no code is listed', ok({}), undefined, 'broken'],
    ['the rate limit', no(10008), undefined, 'unobserved: quota'],
    ['the rate limit where it is asked for', no(10008), [10008], 'held'],
    ['a failure of another form', { status: 400, body: { data: {}, no: 1 } }, [30004], 'unobserved: prerequisite'],
    ['JSON that may be a gateway’s', { status: 400, body: { message: 'no' } }, [30004], 'unobserved: network'],
    ['a page', { status: 400, text: '<html>Bad Request' }, [30004], 'unobserved: network'],
    ['a reset connection', 'reset' as const, [30004], 'unobserved: network'],
  ])('%s', (_, response, codes, expected) => {
    const trace = new TraceBuilder()
    const positiveControl = trace.created()
    const exchange = trace.rest('create-avatar-session', response)
    expect(outcomeIn(trace, say.rejected(exchange, positiveControl, codes))).toBe(expected)
  })

  test('counts only beside a positive control that was accepted', () => {
    const trace = new TraceBuilder()
    const positiveControl = trace.rest('create-avatar-session', no(30004))
    const exchange = trace.rest('create-avatar-session', no(30004))
    expect(outcomeIn(trace, say.rejected(exchange, positiveControl, [30004]))).toBe('unobserved: prerequisite')
  })
})

describe('a request that is sent without a key', () => {
  test.each([
    ['the code that is asked for', no(10001), [10001], 'held'],
    ['another code about keys', no(10003), [10001], 'broken'],
    ['any code where none is asked for', no(10001), undefined, 'held'],
    ['the rate limit', no(10008), [10001], 'unobserved: quota'],
  ])('%s', (_, response, codes, expected) => {
    const trace = new TraceBuilder()
    const positiveControl = trace.created()
    const exchange = trace.rest('create-avatar-session', response, {}, 'none')
    expect(outcomeIn(trace, say.rejected(exchange, positiveControl, codes))).toBe(expected)
  })
})

describe('equals, different, same, distinct', () => {
  const trace = new TraceBuilder()
  const first = trace.rest('get-avatar-session', ok({ id: 'a', fps: '24', list: [{ deep: { id: 'x' } }], none: null }))
  const second = trace.rest('get-avatar-session', ok({ id: 'b' }))
  const failed = trace.rest('get-avatar-session', no(20005))
  const id = say.answer(first, '/data/id')

  test.each<[string, Condition, string]>([
    ['equal values', say.equals(id, say.value('a')), 'held'],
    ['other values', say.equals(id, say.value('b')), 'broken'],
    ['an integer as a string', say.equals(say.answer(first, '/data/fps'), say.value(24)), 'held'],
    ['one of several', say.equals(id, say.oneOf('z', 'a')), 'held'],
    ['anywhere below', say.equals(say.answer(first, '/data/**'), say.value('x')), 'held'],
    ['nowhere below', say.equals(say.answer(first, '/data/**'), say.value('y')), 'broken'],
    ['absent where absence is wanted', say.equals(say.answer(first, '/data/gone'), say.absent), 'held'],
    ['null where absence is wanted', say.equals(say.answer(first, '/data/none'), say.absent), 'broken'],
    [
      'data of a failed request',
      say.equals(say.answer(failed, '/data/id'), say.value('a')),
      'unobserved: prerequisite',
    ],
    ['different values', say.different(id, say.answer(second, '/data/id')), 'held'],
    ['no different values', say.different(id, say.value('a')), 'broken'],
    ['not below', say.different(say.answer(first, '/data/**'), say.value('y')), 'held'],
    ['distinct values', say.distinct(id, say.answer(second, '/data/id')), 'held'],
    ['same values', say.same(id, id), 'held'],
    ['not the same', say.same(id, say.answer(second, '/data/id')), 'broken'],
    ['the same and one missing', say.same(id, id, say.answer(failed, '/data/id')), 'unobserved: prerequisite'],
    ['status', say.equals(say.status(failed), say.value(400)), 'held'],
  ])('%s', (_, condition, expected) => {
    expect(outcomeIn(trace, condition)).toBe(expected)
  })
})

describe('echoes', () => {
  const sent = { avatars: [{ avatar_id: 'a', instructions: 'x' }, { avatar_id: 'b' }], tools: [], tts_api_key: 'k' }
  test.each<[string, Json, string]>([
    ['the same', sent, 'held'],
    [
      'more fields and another order',
      {
        avatars: [
          { avatar_id: 'b', voice: {} },
          { avatar_id: 'a', instructions: 'x' },
        ],
        extra: 1,
      },
      'held',
    ],
    ['a secret masked and an empty list left out', { avatars: sent.avatars, tts_api_key: '***' }, 'held'],
    ['a changed value', { avatars: [{ avatar_id: 'a', instructions: 'y' }, { avatar_id: 'b' }] }, 'broken'],
    ['an item missing', { avatars: [{ avatar_id: 'a', instructions: 'x' }] }, 'broken'],
    ['nothing', {}, 'broken'],
  ])('%s', (_, data, expected) => {
    const trace = new TraceBuilder()
    const exchange = trace.rest('create-avatar-session', ok(data), sent)
    expect(outcomeIn(trace, say.echoes(say.answer(exchange, '/data'), say.asked(exchange, '')))).toBe(expected)
  })
})

describe('eventually and never', () => {
  const done = say.event('done', { '/id': 'x' })

  test('an event that comes, however late, holds', () => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    trace.pass(9_000).received(channel, { type: 'done', id: 'x' })
    expect(outcomeIn(trace, say.eventually(channel, { frame }, done, 500))).toBe('held')
  })

  test.each([1001, 1012, 1013])('a server that goes away with %i answers nothing', (code) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    trace.closed(channel, 'target', code)
    expect(outcomeIn(trace, say.eventually(channel, { frame }, done, 500))).toBe('unobserved: network')
  })

  test('an event that came before the point does not count', () => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    trace.received(channel, { type: 'done', id: 'x' })
    const frame = trace.sent(channel, { type: 'go' })
    trace.pass(1_000).mark()
    expect(outcomeIn(trace, say.eventually(channel, { frame }, done, 500))).toBe('broken')
  })

  test.each([
    ['watched silence', 'held until later', 'broken'],
    ['silence that was not watched once more as long', 'short', 'unobserved: interrupted'],
    ['a close by the target, which may come by accident', 'target', 'unobserved: network'],
    ['a close by the target that blames us', 'blame', 'broken'],
    ['a broken connection', 'network', 'unobserved: network'],
  ])('%s', (_, how, expected) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    if (how === 'target' || how === 'network') trace.closed(channel, how)
    else if (how === 'blame') trace.closed(channel, 'target', 1008)
    else trace.pass(how === 'short' ? 900 : 1_000).mark()
    expect(outcomeIn(trace, say.eventually(channel, { frame }, done, 500))).toBe(expected)
  })

  test.each([
    ['nothing between', false, true, 'held'],
    ['a match between', true, true, 'broken'],
    ['an end that was never reached', false, false, 'unobserved: prerequisite'],
  ])('never: %s', (_, comes, ends, expected) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    if (comes) trace.received(channel, { type: 'done', id: 'x' })
    const until = ends ? trace.mark() : 999
    trace.received(channel, { type: 'done', id: 'x' })
    expect(outcomeIn(trace, say.never(channel, done, { frame }, { mark: until }))).toBe(expected)
  })
})

describe('what was to be sent next, on a channel that ended before', () => {
  const done = say.event('done', { '/id': 'x' })
  const next = { frame: 999 }

  test.each([
    ['target', true, 'broken', 'held'],
    ['target', false, 'held', 'unobserved: prerequisite'],
    ['us', true, 'unobserved: prerequisite', 'unobserved: prerequisite'],
    ['network', true, 'unobserved: prerequisite', 'unobserved: prerequisite'],
  ] as const)('closed by %s, with an event before: %s', (by, comes, never, before) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    if (comes) trace.received(channel, { type: 'done', id: 'x' })
    trace.closed(channel, by)
    expect(outcomeIn(trace, say.never(channel, done, { frame }, next))).toBe(never)
    expect(outcomeIn(trace, say.before({ event: { channel, match: done, after: { frame } } }, next))).toBe(before)
  })
})

describe('admission', () => {
  const good = (trace: TraceBuilder): number => {
    const channel = trace.opened()
    trace.received(channel, { type: 'session.updated' })
    return channel
  }

  test.each([
    ['an HTTP status', (trace: TraceBuilder) => trace.refused(401), 'held', 'broken'],
    ['no answer', (trace: TraceBuilder) => trace.refused(), 'unobserved: network', 'unobserved: network'],
    [
      'closed at once',
      (trace: TraceBuilder) => at(trace, (channel) => trace.closed(channel, 'target', 4401)),
      'held',
      'broken',
    ],
    [
      'an error, then closed',
      (trace: TraceBuilder) =>
        at(trace, (channel) => {
          trace.received(channel, { type: 'error' })
          trace.closed(channel, 'target')
        }),
      'held',
      'broken',
    ],
    [
      'open beyond two seconds',
      (trace: TraceBuilder) => at(trace, () => trace.pass(2_001).mark()),
      'unobserved: network',
      'held',
    ],
    [
      'open for longer than an answer may take',
      (trace: TraceBuilder) => at(trace, () => trace.pass(10_001).mark()),
      'broken',
      'held',
    ],
    ['an answer', good, 'broken', 'held'],
    [
      'closed by us too early',
      (trace: TraceBuilder) => at(trace, (channel) => trace.closed(channel, 'us')),
      'unobserved: network',
      'unobserved: network',
    ],
  ])('%s', (_, make, refused, admitted) => {
    const trace = new TraceBuilder()
    const positiveControl = good(trace)
    trace.closed(positiveControl, 'us').pass(3_000)
    const channel = make(trace)
    expect([outcomeIn(trace, say.refused(channel, positiveControl)), outcomeIn(trace, say.admitted(channel))]).toEqual([
      refused,
      admitted,
    ])
  })

  function at(trace: TraceBuilder, then: (channel: number) => unknown): number {
    const channel = trace.opened()
    then(channel)
    return channel
  }
})
