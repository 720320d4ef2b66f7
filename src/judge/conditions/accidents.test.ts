import { expect, test } from 'vitest'
import { accepted, answer, equals, event, eventually, inEvent, never, rejected, value } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import { TraceBuilder } from '#testing/trace-builder'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

/** What became of the last claim, and whether it counts where it comes each time. */
function outcomeOf(trace: TraceBuilder): readonly [state: string, eachTime: boolean] {
  const index = indexTrace(trace.entries)
  const [claim] = index.claims.slice(-1)
  const outcome = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  return [outcome?.state ?? 'none', outcome !== undefined && 'eachTime' in outcome]
}

const claimed = (trace: TraceBuilder, condition: Condition) => outcomeOf(trace.claim('part.a.must', condition))
const error = (event_id: string, type: string) => ({ type: 'error', error: { type, message: 'no', event_id } })

test.each([
  [1000, 'unobserved', true],
  [1011, 'unobserved', true],
  [4008, 'unobserved', true],
  [1012, 'unobserved', false],
  [1008, 'broken', false],
  [1009, 'broken', false],
])('no connection lasts for ever: a close with %i leaves what was asked %s', (code, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  trace.closed(channel, 'target', code)
  expect(claimed(trace, eventually(channel, { frame }, event('session.updated'), 500))).toEqual([state, eachTime])
})

test.each([
  ['an update that the service failed over', 'session.update', 'server_error', 'unobserved', true],
  ['an update that was refused', 'session.update', 'invalid_request_error', 'broken', false],
  ['a look that the service failed over', 'conversation.item.retrieve', 'server_error', 'broken', false],
])('what is asked after %s', (_, type, fault, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  trace.sent(channel, { type, event_id: 'first' })
  trace.received(channel, error('first', fault))
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'second' })
  trace.received(channel, error('second', 'invalid_request_error'))
  trace.pass(5_000).mark()
  expect(claimed(trace, eventually(channel, { frame }, event('session.updated'), 500))).toEqual([state, eachTime])
})

test.each([
  ['failed over', 'server_error', 'unobserved', true],
  ['refused', 'invalid_request_error', 'broken', false],
])('where the wait begins with something else, an update by its name that was %s', (_, type, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const mark = trace.mark()
  trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  trace.received(channel, error('u1', type))
  trace.pass(5_000).mark()
  const named = event('session.updated', { '/event_id': 'u1' })
  const condition = eventually(channel, { mark }, named, 500)
  expect(claimed(trace, condition)).toEqual([state, eachTime])
})

test('what follows an event that is refused as a failure of the service is judged by what comes', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { event_id: 'faulty' })
  const refused = eventually(channel, { frame }, event('error', { '/error/event_id': 'faulty' }), 500)
  const works = eventually(channel, { frame }, event('session.updated'), 500)
  trace.received(channel, error('faulty', 'server_error'))
  trace.sent(channel, { type: 'session.update', event_id: 'next' })
  trace.received(channel, { type: 'session.updated', event_id: 'next' })
  trace.pass(5_000).mark()
  expect(claimed(trace, works)).toEqual(['unobserved', true])
  expect(outcomeOf(trace.claim('part.a.must', works, { given: [refused] }))).toEqual(['held', false])
  trace.claim('part.another.must', refused)
  expect(claimed(trace, works)).toEqual(['held', false])
})

test.each([
  ['server_error', undefined, 'unobserved', true],
  ['server_error', 'u1', 'unobserved', true],
  ['invalid_request_error', undefined, 'broken', false],
  ['invalid_request_error', 'u1', 'broken', false],
])(
  'a nameless %s leaves open an event with the id %s, and explains nothing that came',
  (type, event_id, state, eachTime) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'session.update', ...(event_id && { event_id }) })
    trace.received(channel, { type: 'error', error: { type, message: 'no' } })
    const updated = eventually(channel, { frame }, event('session.updated'), 500)
    trace.pass(5_000).mark()
    expect(claimed(trace, updated)).toEqual([state, eachTime])
    trace.received(channel, { type: 'session.updated' })
    expect(claimed(trace, updated)).toEqual(['held', false])
  },
)

test.each([
  ['between another event of its kind and its own', true, 'unobserved'],
  ['with no other event of its kind', false, 'held'],
])('an answer behind a nameless failure %s', (_, again, state) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const create = (event_id: string) => trace.sent(channel, { type: 'conversation.item.create', event_id })
  const frame = create('first')
  trace.received(channel, { type: 'error', error: { type: 'server_error', message: 'try again' } })
  if (again) create('second')
  trace.received(channel, { type: 'conversation.item.created' })
  trace.pass(5_000).mark()
  const [seen] = claimed(trace, eventually(channel, { frame }, event('conversation.item.created'), 500))
  expect(seen).toBe(state)
})

test('what came at last counts against nobody, however often a nameless failure comes before it', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const add = (event_id: string) => trace.sent(channel, { type: 'asset.add', event_id })
  const fail = () => trace.received(channel, { type: 'error', error: { type: 'server_error', message: 'no' } })
  const frame = add('first')
  fail()
  add('second')
  fail()
  trace.received(channel, { type: 'asset.added' })
  trace.pass(5_000).mark()
  const goesOn = eventually(channel, { frame }, [event('asset.added'), event('session.updated')], 500)
  expect(claimed(trace, goesOn)).toEqual(['unobserved', false])
})

test.each([
  ['server_error', undefined, 'unobserved', true],
  ['server_error', 'other', 'broken', false],
  ['invalid_request_error', undefined, 'broken', false],
] as const)('no error: what tells %s and names %s is %s', (type, event_id, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create', event_id: 'asked' })
  trace.received(channel, { type: 'error', error: { type, message: 'no', ...(event_id && { event_id }) } })
  const until = trace.sent(channel, { type: 'session.update' })
  expect(claimed(trace, never(channel, event('error'), { frame }, { frame: until }))).toEqual([state, eachTime])
})

const failure = { status: 500, body: { code: 50000, message: 'internal error' } }
const named = (count: number) => ({ name: `voice-r1-${count}` })

/** A voice of this name, over which the service fails. */
function failedOver(trace: TraceBuilder, name: number): number {
  return trace.rest('clone-voice', failure, named(name))
}

/** Something that is written, for somebody else. */
function answerAnother(trace: TraceBuilder): void {
  trace.rest('close-avatar-session', { body: { code: 0, message: 'ok', data: {} } })
}

test('a request over which the service failed counts where that comes each time, or three times in a row while it answers others', () => {
  const trace = new TraceBuilder()
  const control = trace.rest('upload-audio', { body: { code: 0, message: 'ok', data: {} } })
  const exchange = trace.rest('upload-audio', failure)
  const conditions = [
    rejected(exchange, control, [20009]),
    accepted(exchange),
    equals(answer(exchange, '/code'), value(20009)),
  ]
  for (const condition of conditions) expect(claimed(trace, condition)).toEqual(['unobserved', true])
  trace.again(exchange, failure)
  trace.again(exchange, failure)
  // It may be down for all.
  for (const condition of conditions) expect(claimed(trace, condition)).toEqual(['unobserved', true])
  trace.rest('list-voices', { status: 429, body: { code: 10008, message: 'rate limit' } })
  for (const condition of conditions) expect(claimed(trace, condition)).toEqual(['unobserved', true])
  answerAnother(trace)
  for (const condition of conditions) expect(claimed(trace, condition)).toEqual(['broken', false])
})

test.each([
  ['one request in three', 8, 'unobserved', true],
  ['one request in eighty', 1, 'broken', false],
])('a service that fails over %s by accident, and three times in a row over another', (_, passing, state, eachTime) => {
  const trace = new TraceBuilder()
  const fine = { body: { code: 0, message: 'ok', data: {} } }
  for (let count = 0; count < passing; count += 1) trace.again(trace.rest('upload-audio', failure), fine)
  const others = passing === 1 ? 80 : 8
  for (let count = 0; count < others; count += 1) trace.rest('upload-audio', fine)
  const exchange = trace.rest('upload-audio', failure)
  trace.again(exchange, failure)
  answerAnother(trace)
  trace.again(exchange, failure)
  answerAnother(trace)
  expect(claimed(trace, accepted(exchange))).toEqual([state, eachTime])
})

test('a service that failed three times in a row and answered nobody until much later was down', () => {
  const trace = new TraceBuilder()
  const exchange = trace.rest('upload-audio', failure)
  trace.again(exchange, failure).again(exchange, failure).pass(2_000)
  answerAnother(trace)
  expect(claimed(trace, accepted(exchange))).toEqual(['unobserved', true])
})

test('refusals by the rate limit are no failures of the service', () => {
  const trace = new TraceBuilder()
  const limited = { status: 429, body: { code: 10008, message: 'rate limit' } }
  const exchange = trace.rest('upload-audio', limited)
  trace.again(exchange, limited).again(exchange, failure)
  expect(claimed(trace, accepted(exchange))).toEqual(['unobserved', true])
})

test('a request over which the service fails wherever it is sent speaks against it, whatever else the run named it', () => {
  const trace = new TraceBuilder()
  failedOver(trace, 1)
  const second = failedOver(trace, 2)
  expect(claimed(trace, accepted(second))).toEqual(['unobserved', true])
  const third = failedOver(trace, 3)
  answerAnother(trace)
  expect(claimed(trace, accepted(third))).toEqual(['broken', false])
})

test('where failures never passed, however often requests were sent again, a single one is believed', () => {
  const trace = new TraceBuilder()
  const inVain = (): void => {
    answerAnother(trace)
    trace.again(trace.rest('upload-audio', failure, { name: String(trace.number()) }), failure)
  }
  for (let time = 0; time < 7; time += 1) inVain()
  expect(claimed(trace, accepted(failedOver(trace, 1)))).toEqual(['unobserved', true])
  inVain()
  const single = trace.rest('clone-voice', failure, { name: 'another' })
  expect(claimed(trace, accepted(single))).toEqual(['broken', false])
})

test('on a service that fails often by accident no single failure is believed', () => {
  const trace = new TraceBuilder()
  const fine = { body: { code: 0, message: 'ok', data: {} } }
  for (let count = 0; count < 20; count += 1) trace.again(trace.rest('upload-audio', failure), fine)
  for (let time = 0; time < 9; time += 1) {
    answerAnother(trace)
    trace.again(trace.rest('upload-audio', failure, { name: String(trace.number()) }), failure)
  }
  const single = trace.rest('clone-voice', failure, { name: 'another' })
  expect(claimed(trace, accepted(single))).toEqual(['unobserved', true])
})

test('where the same request was answered once, the service fails over it by accident', () => {
  const trace = new TraceBuilder()
  trace.rest('clone-voice', { body: { code: 20009, message: 'unsupported format' } }, named(1))
  failedOver(trace, 2)
  failedOver(trace, 3)
  const last = failedOver(trace, 4)
  answerAnother(trace)
  expect(claimed(trace, accepted(last))).toEqual(['unobserved', true])
})

test('an event that is to be refused may be so by whatever error', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const faulty = trace.sent(channel, { type: 'session.update', event_id: 'faulty' })
  trace.received(channel, error('faulty', 'server_error'))
  trace.claim(
    'part.a.must',
    eventually(channel, { frame: faulty }, event('error', { '/error/event_id': 'faulty' }), 500),
  )
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'second' })
  trace.received(channel, error('second', 'invalid_request_error'))
  trace.pass(5_000).mark()
  expect(claimed(trace, eventually(channel, { frame }, event('session.updated'), 500))).toEqual(['broken', false])
})

test.each([
  ['failed', 'unobserved', true],
  ['cancelled', 'broken', false],
])('a response that ends %s', (status, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create', event_id: 'r1' })
  trace.received(channel, { type: 'response.done', response: { status } })
  trace.pass(5_000).mark()
  const done = event('response.done', { '/response/status': 'completed' })
  expect(claimed(trace, eventually(channel, { frame }, done, 500))).toEqual([state, eachTime])
  const end = inEvent({ channel, match: event('response.done'), after: { frame } }, '/response/status')
  expect(claimed(trace, equals(end, value('completed')))).toEqual([state, eachTime])
})

test.each([
  ['server_error', 'unobserved', true],
  ['invalid_request_error', 'broken', false],
])('an error of type %s about what is not to be refused', (type, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create', event_id: 'r1' })
  trace.received(channel, error('r1', type))
  trace.pass(5_000).mark()
  const until = { frame: trace.sent(channel, { type: 'conversation.item.retrieve', event_id: 'look' }) }
  expect(claimed(trace, never(channel, event('error'), { frame }, until))).toEqual([state, eachTime])
})
