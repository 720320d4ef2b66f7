import { expect, test, vi } from 'vitest'
import type { ServerEvent } from './frames.ts'
import { type Progress, Replies } from './replies.ts'

const created = (id: string | undefined, named?: string): ServerEvent => ({
  type: 'response.created',
  response: { id, status: 'in_progress' },
  ...(named === undefined ? {} : { request_event_id: named }),
})

const spoken = (id: string, text: string, status = 'completed', doneId: string | undefined = id): ServerEvent[] => {
  const place = { response_id: id, output_index: 0 }
  return [
    { type: 'response.output_text.delta', ...place, item_id: `item ${id}`, delta: text.slice(0, 2) },
    { type: 'response.output_text.delta', ...place, item_id: `item ${id}`, delta: text.slice(2) },
    { type: 'response.output_text.done', ...place, item_id: `item ${id}`, text },
    { type: 'response.output_item.done', ...place, item: { id: `item ${id}`, type: 'message' } },
    { type: 'response.done', response: { id: doneId, status } },
  ]
}

function asked(events: readonly ServerEvent[]): { replies: Replies; progress: (Progress | undefined)[] } {
  const replies = new Replies({ own: 'ask', run: 'ask' })
  replies.ask('ask 1', 'hello')
  return { replies, progress: events.map((event) => replies.take(event)) }
}

const flawsOf = (replies: Replies): string[] => replies.chains().flatMap((chain) => Object.keys(chain.flaws))

const whole: (Progress | undefined)[] = ['created', 'first-delta', 'delta', undefined, undefined, 'done']

test('the response that names the request answers it', () => {
  const { replies, progress } = asked([created('r1', 'ask 1'), ...spoken('r1', 'hello')])
  expect(progress).toEqual(whole)
  expect(replies.answer?.status).toBe('completed')
  expect(flawsOf(replies)).toEqual([])
})

test('what goes well takes no regular expression, the first of which costs a user of k6 17 kB', () => {
  const used = vi.spyOn(RegExp.prototype, 'exec')
  const { progress } = asked([created('r1', 'ask 1'), ...spoken('r1', 'hello')])
  const times = used.mock.calls.length
  used.mockRestore()
  expect({ times, progress }).toEqual({ times: 0, progress: whole })
})

test.each([undefined, ''])('a response with the request id %j answers by its text', (named) => {
  const { progress } = asked([created('r1', named), ...spoken('r1', 'hello')])
  expect(progress).toEqual(whole)
})

test('ids of the response resource are optional', () => {
  const { replies, progress } = asked([created(undefined, 'ask 1'), ...spoken('r1', 'hello', 'completed', undefined)])
  expect(progress).toEqual(whole)
  expect(flawsOf(replies)).toEqual([])
})

test('an opening that is cut once the answer has begun is no first answer; what speaks the text, or comes later, is', () => {
  const cut = spoken('r0', 'welcome', 'cancelled')
  const answer = [created('r1', 'ask 1'), ...spoken('r1', 'hello')]
  const [first, ...others] = cut
  for (const events of [
    [created('r0'), created('r1', 'ask 1'), ...cut, ...answer.slice(1)],
    [created('r0'), ...(first === undefined ? [] : [first]), created('r1', 'ask 1'), ...others, ...answer.slice(1)],
  ]) {
    const { replies } = asked(events)
    expect([replies.answer?.id, replies.answer?.status, Object.keys(replies.allFlaws())]).toEqual([
      'r1',
      'completed',
      [],
    ])
  }
  const twice = [created('r0'), ...spoken('r0', 'hello').slice(0, 1), created('r1', 'ask 1')]
  expect(Object.keys(asked(twice).replies.flaws)).toEqual(['request-answered-again'])
  const { replies } = asked(answer)
  replies.ask('ask 2', 'hello')
  for (const event of [created('r2'), created('r3', 'ask 2')]) replies.take(event)
  expect(Object.keys(replies.flaws)).toEqual(['request-answered-again'])
})

test('an opening that speaks by itself is not taken for the answer', () => {
  const opening = [created('r0'), ...spoken('r0', 'welcome')]
  const { replies, progress } = asked([...opening, created('r1'), ...spoken('r1', 'hello')])
  expect(progress.filter((one) => one === 'done')).toHaveLength(1)
  expect(progress.at(-1)).toBe('done')
  expect(flawsOf(replies)).toEqual([])
})

test.each([
  ['interrupted before it speaks', spoken('r0', '', 'cancelled').slice(3)],
  ['interrupted as it speaks', spoken('r0', 'welco', 'cancelled')],
  ['not interrupted', spoken('r0', 'welcome')],
])('an opening that begins with the answer on its way is not taken for it: %s', (_, opening) => {
  const answer = spoken('r1', 'hello')
  for (const said of [
    [created('r0'), created('r1'), ...opening, ...answer],
    [created('r0'), ...opening, created('r1'), ...answer],
  ]) {
    const { replies, progress } = asked(said)
    expect(progress.filter((one) => one === 'done')).toHaveLength(1)
    expect([progress.at(-1), replies.answer?.status]).toEqual(['done', 'completed'])
    expect(flawsOf(replies)).toEqual([])
  }
})

test.each([
  ['Script run-soak-77-r0. The shop opens at eight.', { 'events-of-another': 1 }],
  ['Script run-control-throughput-3-r0. The shop opens at eight.', { 'events-of-another': 1 }],
  ['Script run-soak-7-r1. The shop opens at eight.', {}],
  ['Script run-so..', {}],
  ['Script writers are welcome here.', {}],
])('a response that names no request and says "%s" has the flaws %o', (text, flaws) => {
  const replies = new Replies({ own: 'run-soak-7-', run: 'run-' })
  replies.ask('run-soak-7-r1', 'Script run-soak-7-r1. The shop opens at eight.')
  for (const event of [created('r0'), ...spoken('r0', text)]) replies.take(event)
  expect(replies.flaws).toEqual(flaws)
})

test('a response that began before the connection has no flaws', () => {
  const { replies } = asked([...spoken('r0', 'welcome').slice(1), created('r1', 'ask 1'), ...spoken('r1', 'hello')])
  expect(flawsOf(replies)).toEqual([])
})

test("another request's response is no answer", () => {
  const { replies, progress } = asked([created('r1', 'ask 2'), ...spoken('r1', 'hello')])
  expect(progress).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
  expect(Object.entries(replies.flaws)).toEqual([])
})

test('a response that names a request which nobody sent is told as that', () => {
  const { replies } = asked([created('r1', 'beg 1'), ...spoken('r1', 'hello')])
  expect(Object.entries(replies.flaws)).toEqual([['request-of-another', 1]])
})

test('a request that starts a second response is told as that', () => {
  const { replies } = asked([created('r1', 'ask 1'), created('r2', 'ask 1'), ...spoken('r1', 'hello')])
  expect(Object.entries(replies.flaws)).toEqual([['request-answered-again', 1]])
})

test('a request that is answered again during the next one, or after it, is told as that', () => {
  const { replies } = asked([created('r1', 'ask 1'), ...spoken('r1', 'hello')])
  replies.ask('ask 2', 'hello')
  for (const event of [created('r2', 'ask 1'), ...spoken('r2', 'hello')]) replies.take(event)
  for (const event of [created('r3', 'ask 2'), ...spoken('r3', 'hello')]) replies.take(event)
  expect(Object.entries(replies.flaws)).toEqual([['request-answered-again', 1]])
  replies.ask('ask 3', 'hello')
  for (const event of [created('r4', 'ask 3'), ...spoken('r4', 'hello')]) replies.take(event)
  replies.take(created('r5', 'ask 2'))
  expect(Object.entries(replies.flaws)).toEqual([['request-answered-again', 2]])
})

test('a request that failed and is answered late has one answer', () => {
  const { replies } = asked([{ type: 'error', error: { type: 'server_error', message: 'no', event_id: 'ask 1' } }])
  replies.ask('ask 2', 'hello')
  for (const event of [created('r1', 'ask 1'), ...spoken('r1', 'hello')]) replies.take(event)
  expect(Object.entries(replies.flaws)).toEqual([])
})

test('the wrong text is a flaw of a response that names the request', () => {
  const { replies, progress } = asked([created('r1', 'ask 1'), ...spoken('r1', 'hullo')])
  expect(progress.at(-1)).toBe('done')
  expect(flawsOf(replies)).toEqual(['script-differs'])
})

test('an interrupted response need not have the whole text', () => {
  const { replies } = asked([created('r1', 'ask 1'), ...spoken('r1', 'hel', 'cancelled')])
  expect(replies.answer?.status).toBe('cancelled')
  expect(flawsOf(replies)).toEqual([])
})

test.each([undefined, null, ''])('an error with the event id %j names none', (event_id) => {
  const { replies } = asked([])
  expect(replies.isNameless({ type: 'error', error: { type: 'server_error', message: 'no', event_id } })).toBe(true)
})

test('an error that names the request rejects it', () => {
  const { progress } = asked([
    { type: 'error', error: { type: 'server_error', message: 'overloaded' } },
    { type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id: 'ask 1' } },
  ])
  expect(progress).toEqual([undefined, 'rejected'])
})

test('a second end is a flaw and no second answer', () => {
  const events = [created('r1', 'ask 1'), ...spoken('r1', 'hello')]
  const { replies, progress } = asked([...events, ...events.slice(-1)])
  expect(progress.at(-1)).toBeUndefined()
  expect(flawsOf(replies)).toEqual(['done-again'])
})

test.each([
  { type: 'response.created' },
  { type: 'response.created', response: null },
  { type: 'response.output_text.delta' },
  { type: 'response.output_text.done', item_id: 7 },
  { type: 'response.output_item.done', item: [] },
  { type: 'response.done', response: 'r1' },
  { type: 'error' },
  { type: 'transport failure.changed' },
])('an event of the wrong shape is borne: %j', (event) => {
  expect(() => asked([event, event])).not.toThrow()
})

test('what a response sends that never began here is told, once one of ours has run from its request to its end', () => {
  const { replies } = asked([...spoken('opening', 'welcome'), created('r1', 'ask 1'), ...spoken('r1', 'hello')])
  expect(replies.strays).toBe(0)
  for (const event of [created('greeting'), ...spoken('greeting', 'and now')]) replies.take(event)
  expect(replies.strays).toBe(0)
  const [, stray] = spoken('of another session', 'hello')
  if (stray !== undefined) replies.take(stray)
  expect(replies.strays).toBe(1)
  expect(flawsOf(replies)).toEqual([])
})

test.each([
  { type: 'session.updated', event_id: 'run-2-u1' },
  { type: 'session.update.done', request_event_id: 'run-2-u1', status: 'completed' },
  { type: 'error', error: { event_id: 'run-2-u1', message: 'no' } },
])('an answer to another conversation of the run is told: $type', (event) => {
  const flaws = (name: string): unknown => {
    const replies = new Replies({ own: name, run: `${name.split('-')[0]}-` })
    replies.take(event)
    return Object.entries(replies.flaws)
  }
  expect(flaws('run-1-')).toEqual([['events-of-another', 1]])
  expect(flaws('run-soak-2-')).toEqual([['events-of-another', 1]])
  expect(flaws('run-2-')).toEqual([])
  // Of somebody else, or an id that the service made.
  expect(flaws('other-1-')).toEqual([])
})
