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
