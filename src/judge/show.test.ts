import { expect, test } from 'vitest'
import { showPattern } from './show.ts'

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
