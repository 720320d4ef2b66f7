import { expect, test } from 'vitest'
import { close, opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, created, message, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { itemsOrder } from './order.rules.ts'

const again: Step = { what: 'open', channel: 'two', session: 'text' }
const text = (id: string) => message(id, 'user', `I am ${id}.`)

/** Two items and a speech on the first connection. */
const before: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  ...created('i1', text('i1'), null),
  ...created('i2', text('i2'), 'i1'),
]
const spoken = response('s1', { asked: speech('Hello there.'), previous: 'i2' })

/** An item that is appended on the second connection. */
const appended = (id: string, previous: string): Steps => [
  send(`${id}.create`, 'conversation.item.create', { item: text(id) }, 'two'),
  come(`${id}.created`, 'conversation.item.created', { previous_item_id: previous, item: text(id) }, 'two'),
]
const broken = (...steps: Steps): readonly string[] => verdictsOf([itemsOrder], [...before, ...steps, quiet]).broken

test('the order of a conversation goes on over a reconnect', () => {
  const row = 'item-create.appended-when-omitted'
  expect(broken(...spoken, close(), again, ...appended('i3', 'm-s1'), ...appended('i4', 'i3'))).toEqual([])
  expect(broken(...spoken, close(), again, ...appended('i3', 'i1'))).toContain(row)
  expect(broken(...spoken, close(), again, ...appended('i3', 'm-s1'), ...appended('i4', 'i1'))).toContain(row)
})

test.each<[what: string, steps: Steps]>([
  ['an item may have come while nobody listened', [...spoken, close(), again, ...appended('i3', 'm-gap')]],
  [
    'what is known may be told anew',
    [
      ...spoken,
      close(),
      again,
      come('x', 'conversation.item.created', { previous_item_id: null, item: text('i1') }, 'two'),
      ...appended('i3', 'm-s1'),
    ],
  ],
  ['an opening may begin until a response was asked for', [close(), again, ...appended('i3', 'i1')]],
  ['a response that was running may write later', [...spoken.slice(0, 3), close(), again, ...appended('i3', 'i1')]],
  ['a connection beside may change anything', [...spoken, again, close(), ...appended('i3', 'i1')]],
  [
    'a create that was on its way may be in it',
    [...spoken, send('c', 'conversation.item.create', { item: text('late') }), close(), again, ...appended('i3', 'i1')],
  ],
])('%s', (_, steps) => {
  expect(broken(...steps)).toEqual([])
})
