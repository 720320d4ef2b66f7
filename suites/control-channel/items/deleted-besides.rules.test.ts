import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, created, failed, message, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

const call = { id: 'call', type: 'function_call', call_id: 'c1', name: 'look_up', arguments: '{}' }
const output = { id: 'output', type: 'function_call_output', call_id: 'c1', output: 'Found.' }
const deleted = (id: string): Step => come(`${id}.deleted`, 'conversation.item.deleted', { item_id: id })

const verdicts = (...steps: Steps) =>
  verdictsOf(rules, [
    ...opened('text', state('text_chat', 'guide')),
    ...created('first', message('first', 'user', 'One.'), null),
    ...created('call', call, 'first'),
    ...created('output', output, 'call'),
    send('d', 'conversation.item.delete', { item_id: 'call' }),
    ...steps,
    quiet,
  ])

test.each<[when: string, steps: Steps]>([
  ['after the answer', [deleted('call'), deleted('output')]],
  ['before the answer', [deleted('output'), deleted('call')]],
  [
    'while it is asked for',
    [deleted('call'), send('g', 'conversation.item.retrieve', { item_id: 'output' }), deleted('output'), failed('g')],
  ],
])('the output of a call goes with it, and that is told %s: nothing is broken', (_, steps) => {
  expect(verdicts(...steps).reasons).toEqual([])
})

test.each<[row: string, steps: Steps]>([
  ['item-delete.once', [deleted('call'), { ...deleted('call'), tag: 'again' } as Step]],
  ['item-deleted.item-id', [deleted('output')]],
  ['item-delete.once', [deleted('call'), deleted('nobody')]],
])('%s', (row, steps) => {
  expect(verdicts(...steps).broken).toContain(row)
})
