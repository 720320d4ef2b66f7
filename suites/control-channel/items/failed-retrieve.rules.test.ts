import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { come, created, message, pass, retrieved, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

test('the answer behind a failure of the service belongs to what was asked after it', () => {
  const one = message('i1', 'user', 'One.')
  const steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...created('i1', one, null),
    send('b', 'conversation.item.retrieve', { item_id: 'i1' }),
    come('b.error', 'error', { error: { type: 'server_error', message: 'x', event_id: 'b' } }),
    ...retrieved('c', one),
    pass(20_000),
  ]
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})

test.each([
  ['conversation.item.retrieve', 'x'.repeat(513), []],
  ['conversation.item.delete', 'x'.repeat(513), []],
  ['conversation.item.retrieve', 'x'.repeat(512), ['item-create.stored', 'item-retrieve.answered']],
] as const)(
  'an event with an id that is too long may be refused for that, whatever its item: %s',
  (type, id, broken) => {
    const one = message('i1', 'user', 'One.')
    const steps = [
      ...opened('text', state('text_chat', 'guide')),
      ...created('i1', one, null),
      send(id, type, { item_id: 'i1' }),
      come('e1', 'error', { error: { type: 'invalid_request_error', message: 'event_id', event_id: id } }),
      ...retrieved('c', one),
      pass(20_000),
    ]
    expect(verdictsOf(rules, steps).broken).toEqual(broken)
  },
)
