import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, message, resource, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { textAt } from '#trace/json'
import { scheduling } from './scheduling.rules.ts'

/** Each connection asks for an item of its own. */
const items = { one: message('known', 'user', 'Hello.'), other: message('kept', 'user', 'Hello there.') }
type Channel = keyof typeof items
const ask = (id: string, channel: string, scheduling_policy = 'reject_if_busy'): Step =>
  send(id, 'response.create', { response: speech('Once upon a time.', { scheduling_policy }) }, channel)
const begin = (id: string, channel: string): Step =>
  come(
    `${id}.created`,
    'response.created',
    { request_event_id: id, response: resource(`r-${id}`, 'in_progress') },
    channel,
  )
const delta = (id: string, channel: string, delta_: string): Step =>
  come(
    `${id}.${delta_}`,
    'response.output_text.delta',
    { response_id: `r-${id}`, item_id: `m-${id}`, output_index: 0, delta: delta_ },
    channel,
  )
const done = (id: string, channel: string): Step =>
  come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, 'completed') }, channel)
const ping = (id: string, channel: Channel, item = items[channel]): Steps => [
  send(id, 'conversation.item.retrieve', { item_id: textAt(item, '/id') ?? '' }, channel),
  come(`${id}.pong`, 'conversation.item.retrieved', { item }, channel),
]
const start: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  { what: 'open', channel: 'other', session: 'text' },
  send('known', 'conversation.item.create', { item: items.one }),
  come('known.created', 'conversation.item.created', { previous_item_id: null, item: items.one }),
  send('kept', 'conversation.item.create', { item: items.other }, 'other'),
  come('kept.created', 'conversation.item.created', { previous_item_id: 'known', item: items.other }, 'other'),
]
const both = [ask('a', 'one'), ask('b', 'other'), begin('a', 'one'), begin('b', 'other')]
const broken = (...steps: Steps): readonly string[] => verdictsOf([scheduling], [...start, ...steps, quiet]).broken

test('two that are told to their own connection alone, and both go on, were active at once', () => {
  const goOn = [...ping('p', 'one'), ...ping('q', 'other'), delta('a', 'one', 'Once '), delta('b', 'other', 'Once ')]
  expect(broken(...both, ...goOn, done('a', 'one'), done('b', 'other'))).toEqual([
    'scheduling.reject-if-busy-one-of-a-volley',
  ])
})

test.each<[what: string, steps: Steps]>([
  [
    'text that was on its way when the other one started',
    [...both, delta('a', 'one', 'Once '), done('a', 'one'), delta('b', 'other', 'Once '), done('b', 'other')],
  ],
  [
    'text behind an answer that may be a copy of what the other connection was told',
    [
      ...both,
      ...ping('p', 'one'),
      ...ping('q', 'other', items.one),
      delta('a', 'one', 'Once '),
      delta('b', 'other', 'Once '),
      done('a', 'one'),
      done('b', 'other'),
    ],
  ],
  [
    'one that was done before the other started, and is told of late',
    [...both, ...ping('q', 'other'), delta('b', 'other', 'Once '), done('a', 'one'), done('b', 'other')],
  ],
])('%s says nothing', (_, steps) => {
  expect(broken(...steps)).toEqual([])
})
