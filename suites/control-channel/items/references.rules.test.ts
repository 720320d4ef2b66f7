import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { answer, come, created, message, refused, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { references } from './references.rules.ts'

const told = (steps: Steps) => verdictsOf([references], [...opened('text', state('text_chat', 'guide')), ...steps])
const item = message('i1', 'user', 'Hello.')
const deleted: Steps = [
  ...created('i1', item, null),
  send('d1', 'conversation.item.delete', { item_id: 'i1' }),
  come('d1.deleted', 'conversation.item.deleted', { item_id: 'i1' }),
]
const again: Steps = [
  send('c2', 'conversation.item.create', { item }),
  come('c2.created', 'conversation.item.created', { previous_item_id: null, item }),
]
const asked = { response: { input: [{ type: 'item_reference', id: 'i1' }] } }

test('a response to an item that was deleted does not complete', () => {
  const row = 'response-create.input-deleted-reference-rejected'
  expect(told([...deleted, send('r1', 'response.create', asked), ...answer('r1')]).broken).toEqual([row])
  expect(told([...deleted, ...refused('r1', 'response.create', asked)]).held).toContain(row)
})

test.each<[what: string, steps: Steps]>([
  ['an item that is there', [...deleted.slice(0, -2), send('r1', 'response.create', asked), ...answer('r1')]],
  ['an item that was brought again', [...deleted, ...again, send('r1', 'response.create', asked), ...answer('r1')]],
  ['a response that fails', [...deleted, send('r1', 'response.create', asked), ...answer('r1', { status: 'failed' })]],
])('%s breaks nothing', (_what, steps) => {
  expect(told(steps).reasons).toEqual([])
})
