import { expect, test } from 'vitest'
import type { Entry, FrameReceivedEntry } from '#trace/entry'
import type { Json } from '#trace/json'
import { answersLastSent } from './recording.ts'

let frame = 0
const sent = (type: string, event_id: string): Entry => ({
  kind: 'frame-sent',
  t: (frame += 1),
  channel: 1,
  frame,
  data: { type, event_id },
})
const came = (type: string, more: { readonly [name: string]: Json } = {}): FrameReceivedEntry => ({
  kind: 'frame-received',
  t: (frame += 1),
  channel: 1,
  frame,
  data: { type, ...more },
  bytes: 9,
})

const ask = (id: string) => sent('conversation.item.create', id)
const created = (role = 'user') => came('conversation.item.created', { item: { id: 'i', role } })
const error = (event_id: string | null) => came('error', { error: { event_id } })

/** What came and went before the last event, and whether that answers what was sent last. */
const cases: readonly (readonly [how: string, before: readonly Entry[], answers: boolean])[] = [
  ['what was asked for just now', [ask('a')], true],
  ['what was asked for after the one before was answered', [ask('a'), created(), ask('b')], true],
  ['one of two that were asked for', [ask('a'), ask('b')], false],
  ['a second one', [ask('a'), created()], false],
  ['what was asked for after the one before was refused', [ask('a'), error('a'), ask('b')], true],
  ['what was asked for after an error that names nothing', [ask('a'), error(null), ask('b')], true],
  ['one of two, of which an error is not about', [ask('a'), error('other'), ask('b')], false],
  ['one of two, beside an item that the target made', [ask('a'), created('assistant'), ask('b')], false],
  ['what was asked for, after an item that the target made', [ask('a'), created('assistant')], true],
  ['nothing that was asked for last', [ask('a'), sent('session.update', 'b')], false],
]

test.each(cases)('a created item is %s', (_, before, answers) => {
  const event = created()
  expect(answersLastSent([...before, event], event)).toBe(answers)
})

test('an item that the target made answers nothing', () => {
  const event = created('assistant')
  expect(answersLastSent([ask('a'), event], event)).toBe(false)
})

test('an item of what a model said answers whoever told it', () => {
  const told = { ...ask('a'), data: { type: 'conversation.item.create', event_id: 'a', item: { role: 'assistant' } } }
  const event = created('assistant')
  expect(answersLastSent([told as Entry, event], event)).toBe(true)
})

test('a created response is the one that was asked for, and what else comes answers nothing for sure', () => {
  const response = came('response.created')
  expect(answersLastSent([sent('response.create', 'a'), response], response)).toBe(true)
  const done = came('response.done')
  expect(answersLastSent([sent('response.create', 'a'), done], done)).toBe(false)
})
