import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from './trace-index.ts'
import { showPattern, showPlace } from './show.ts'

test.each([
  [{ type: 'error' }, 'error'],
  [{ where: { '/item/id': 'i1' } }, 'an event whose /item/id is "i1"'],
  [
    { type: 'error', where: { '/error/event_id': { $in: ['e1', null, ''], $absent: true } } },
    'error whose /error/event_id is one of "e1", null, "" or missing',
  ],
  [
    { type: 'a', where: { '/x': { $in: ['e1'] }, '/y': { $absent: true } } },
    'a whose /x is "e1", and whose /y is missing',
  ],
  [{ type: 'a', where: { '/text': { $not: 'hello', $present: true } } }, 'a whose /text is not "hello" and is there'],
])('what is expected of an event is said in words', (pattern, words) => {
  expect(showPattern(pattern)).toBe(words)
})

test('where a value was shown is said in words', () => {
  const trace = new TraceBuilder()
  const exchange = trace.rest('get-voice', { body: { code: 0, message: 'ok', data: {} } })
  const index = indexTrace(trace.entries)
  const asked = 'get-voice'
  expect(showPlace(index, { exchange, path: '' })).toBe(`all of the answer to ${asked} (exchange ${exchange})`)
  expect(showPlace(index, { exchange, path: '/data' })).toBe(`/data of the answer to ${asked} (exchange ${exchange})`)
  expect(showPlace(index, { exchange, path: '/retry-after', part: 'headers' })).toBe(
    `the header retry-after of the answer to ${asked} (exchange ${exchange})`,
  )
  expect(showPlace(index, { exchange, path: '/name', part: 'request' })).toBe(
    `/name as sent by ${asked} (exchange ${exchange})`,
  )
})
