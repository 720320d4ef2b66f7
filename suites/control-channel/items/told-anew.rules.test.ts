import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, message, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

/** Two clients count their events alike, and the service refuses one of two creates of an item. */
function toldAnew(text: string): Steps {
  const created = { previous_item_id: null, item: message('greet', 'user', 'x') }
  const error = { error: { type: 'invalid_request_error', message: 'No.', event_id: '1' } }
  return [
    ...opened('first', state('text_chat', 'guide')),
    send('1', 'conversation.item.create', { item: message('greet', 'user', 'Hello.') }),
    { what: 'open', channel: 'two', session: 'first' },
    come('e1', 'error', error),
    send('1', 'conversation.item.create', { item: message('greet', 'user', 'x') }, 'two'),
    come('c1', 'conversation.item.created', created),
    come('c2', 'conversation.item.created', created, 'two'),
    { what: 'open', channel: 'three', session: 'first' },
    come('c3', 'conversation.item.created', { ...created, item: message('greet', 'user', text) }, 'three'),
    quiet,
  ]
}

test.each([
  ['as it was', 'x', []],
  ['otherwise', 'y', ['item-create.content-kept']],
])('an item that a later connection is told anew %s answers no create that waits elsewhere', (_, text, broken) => {
  expect(verdictsOf(rules, toldAnew(text)).broken).toEqual(broken)
})
