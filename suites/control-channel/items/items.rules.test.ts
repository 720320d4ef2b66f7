import { expect, test } from 'vitest'
import { twoSessions } from '#testing/channel/others'
import { textResponses } from '#testing/channel/text-responses'
import { textState } from '#testing/channel/text-state'
import { after, again, all, before, type Change, drop, edit, move, set, type Steps } from '#testing/channel/steps'
import { opened, quiet } from '#testing/channel/opened'
import { come, created, failed, message, pass, retrieved, send, state } from '#testing/channel/talk'
import type { JsonObject } from '#trace/json'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

const verdicts = (steps: Steps, change: Change) => verdictsOf(rules, change(steps))
const one = message('i1', 'user', 'One.')

test.each<[row: string, steps: Steps, change: Change]>([
  ['item-create.confirmed-once', textState, again('i1.created')],
  [
    'item-create.confirmed-once',
    textState,
    after(
      'i1.created',
      come('x', 'conversation.item.created', { previous_item_id: 'i1', item: message('x', 'user', 'One.') }),
    ),
  ],
  [
    'item-create.rejected-not-confirmed',
    textState,
    after(
      'i6.error',
      come('x', 'conversation.item.created', { previous_item_id: 'c2', item: message('i6', 'user', 'Refused.') }),
    ),
  ],
  ['item-create.rejected-not-confirmed', textState, after('i5.created', failed('i5.create'))],
  ['item-create.content-kept', textState, set('i5.created', { item: message('i5', 'user', 'three.') })],
  ['item-created.once', textResponses, again('s1.item')],
  ['item-created.for-generated-output', textResponses, set('s1.item', { item: message('m-s1', 'assistant', 'Bye.') })],
  ['item-created.previous-item-known', textState, set('i5.created', { previous_item_id: 'hidden' })],
  ['item-created.previous-item-known', textState, set('i5.created', { previous_item_id: 'i5' })],
  ['item-create.appended-when-omitted', textState, set('i5.created', { previous_item_id: 'i1' })],
  ['item-create.appended-names-last', textState, set('i5.created', { previous_item_id: null })],
  ['item-create.insertion-keeps-last', textState, set('i5.created', { previous_item_id: 'i4' })],
  ['item-create.root-inserts-at-start', textState, set('i3.created', { previous_item_id: 'i2' })],
  ['item-create.inserted-after-named', textState, set('i4.created', { previous_item_id: 'i2' })],
  [
    'item-create.duplicate-id-keeps-item',
    textState,
    set('g1.retrieved', { item: message('i1', 'user', 'Another one.') }),
  ],
  ['item-retrieve.answered', textState, all(drop('g1.retrieved'), after('g1', failed('g1')))],
  ['item-retrieve.answered', textState, all(drop('g1.retrieved'), after('g1', pass(6_000)))],
  ['item-retrieve.right-item', textState, set('g1.retrieved', { item: message('i2', 'user', 'Two.') })],
  ['item-retrieve.content', textState, set('g5.retrieved', { item: message('i1', 'user', 'ONE.') })],
  ['item-retrieve.content', textState, set('g5.retrieved', { item: message('i1', 'system', 'One.') })],
  ['item-retrieve.content', textResponses, set('g1.get.retrieved', { item: message('m-g1', 'assistant', 'I think') })],
  ['item-retrieve.once', textState, again('g1.retrieved')],
  ['item-retrieve.changes-nothing', textState, all(drop('g2.retrieved'), after('g2', failed('g2')))],
  [
    'item-retrieve.unknown-not-retrieved',
    textState,
    all(
      drop('g3.error'),
      after('g3', come('x', 'conversation.item.retrieved', { item: message('never-was', 'user', 'Boo.') })),
    ),
  ],
  ['item-retrieve.generated-item', textResponses, all(drop('g1.get.retrieved'), after('g1.get', failed('g1.get')))],
  ['item-delete.answered', textState, all(drop('d1.deleted'), after('d1', failed('d1')))],
  [
    'item-delete.gone',
    textState,
    all(
      drop('g4.error'),
      after('g4', come('x', 'conversation.item.retrieved', { item: message('i2', 'user', 'Two.') })),
    ),
  ],
  ['item-delete.others-kept', textState, all(drop('g5.retrieved'), after('g5', failed('g5')))],
  ['item-delete.once', textState, again('d1.deleted')],
  ['item-delete.last-item-moves', textState, set('i7.created', { previous_item_id: 'p1' })],
  ['item-deleted.item-id', textState, set('d1.deleted', { item_id: 'i1' })],
  [
    'isolation.items-not-shared',
    twoSessions,
    all(
      drop('e3.error'),
      after('e3', come('x', 'conversation.item.retrieved', { item: message('mine', 'user', 'Mine.') }, 'other')),
    ),
  ],
  [
    'isolation.events-not-shared',
    twoSessions,
    after(
      'e1.created',
      come(
        'x',
        'conversation.item.created',
        { previous_item_id: 'yours', item: message('mine', 'user', 'Mine.') },
        'other',
      ),
    ),
  ],
  [
    'script.written-text-exact',
    textResponses,
    set('s1.get.retrieved', { item: message('m-s1', 'assistant', 'Hello there') }),
  ],
  [
    'script.default-speech-written',
    textResponses,
    all(drop('s1.item', 's1.get.retrieved'), after('s1.get', failed('s1.get'))),
  ],
  [
    'script.auto-speech-written',
    textResponses,
    all(drop('s2.item', 's2.get.retrieved'), after('s2.get', failed('s2.get'))),
  ],
  [
    'script.auto-speech-asset-written',
    textResponses,
    all(drop('s4.item', 's4.get.retrieved'), after('s4.get', failed('s4.get'))),
  ],
  [
    'response-create.default-output-written',
    textResponses,
    all(drop('g1.item', 'g1.get.retrieved'), after('g1.get', failed('g1.get'))),
  ],
  [
    'response-create.auto-output-written',
    textResponses,
    all(drop('g2.item', 'g2.get.retrieved'), after('g2.get', failed('g2.get'))),
  ],
  [
    'script.none-speech-not-written',
    textResponses,
    all(
      drop('s3.get.error'),
      after('s3.get', come('x', 'conversation.item.retrieved', { item: message('m-s3', 'assistant', 'Aside.') })),
    ),
  ],
  [
    'script.none-speech-asset-not-written',
    textResponses,
    all(
      drop('s5.get.error'),
      after(
        's5.get',
        come('x', 'conversation.item.retrieved', { item: message('m-s5', 'assistant', 'Good morning.') }),
      ),
    ),
  ],
  [
    'response-create.none-output-not-written',
    textResponses,
    all(
      drop('g3.get.error'),
      after('g3.get', come('x', 'conversation.item.retrieved', { item: message('m-g3', 'assistant', 'No.') })),
    ),
  ],
])('%s (%#)', (row, steps, change) => {
  const { broken, reasons } = verdicts(steps, change)
  expect(broken, reasons.join('\n')).toContain(row)
})

test.each<[what: string, steps: Steps, change: Change]>([
  [
    'ids of the service in the place of ours',
    textState,
    all(
      set('i5.created', { item: message('srv-5', 'user', 'Three.') }),
      set('c1.created', { previous_item_id: 'srv-5' }),
    ),
  ],
  ['`root` as the item before', textState, set('i3.created', { previous_item_id: 'root' })],
  [
    'filled-in fields',
    textState,
    set('g1.retrieved', { item: { ...one, status: 'completed', object: 'item', created_at: '1' } }),
  ],
  [
    'audio without its bytes, with a transcript',
    textState,
    edit('p1.created', (event) => ({
      ...event,
      item: {
        id: 'p1',
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'https://cdn.example/1' },
          { type: 'input_audio', transcript: 'Hm!' },
        ],
      },
    })),
  ],
  [
    'an error without a name',
    textState,
    edit('g3.error', (event) => ({ ...event, error: { type: 'x', message: '' } })),
  ],
  ['silence after an unknown item', textState, drop('g3.error')],
  ['an event whose type every object has a member of', textState, after('g1', come('x', 'constructor'))],
  [
    'a deleted item that is deleted again',
    textState,
    after(
      'd1.deleted',
      send('d9', 'conversation.item.delete', { item_id: 'i2' }),
      come('d9.deleted', 'conversation.item.deleted', { item_id: 'i2' }),
    ),
  ],
  [
    'an item that is created again after its delete',
    textState,
    after(
      'g4.error',
      ...created('i2', message('i2', 'user', 'Two again.'), 'p1'),
      ...retrieved('g9', message('i2', 'user', 'Two again.')),
      send('d9', 'conversation.item.delete', { item_id: 'i2' }),
      come('d9.deleted', 'conversation.item.deleted', { item_id: 'i2' }),
    ),
  ],
  [
    'a confirmation while another is awaited',
    textState,
    all(
      move('i5.create', 'i2.create'),
      move('i5.created', 'i2.created'),
      set('i5.created', { previous_item_id: 'i2' }),
      set('c1.created', { previous_item_id: 'i5' }),
    ),
  ],
  ['a first item after one that was there before', textState, set('i1.created', { previous_item_id: 'system-prompt' })],
  [
    'an item put while a response runs',
    textResponses,
    before('s2.text', ...created('mid', message('mid', 'user', 'Wait.'), 'm-s1')),
  ],
])('%s: nothing is broken', (_, steps, change) => {
  expect(verdicts(steps, change).reasons).toEqual([])
})

const put = (tag: string, id: string, previous: string | null, asked: JsonObject = {}): Steps => [
  send(tag, 'conversation.item.create', { item: message(id, 'user', `${tag}.`), ...asked }),
  come(`${tag}.created`, 'conversation.item.created', {
    previous_item_id: previous,
    item: message(id, 'user', `${tag}.`),
  }),
]
const gone = (tag: string, id: string): Steps => [
  send(tag, 'conversation.item.delete', { item_id: id }),
  come(`${tag}.deleted`, 'conversation.item.deleted', { item_id: id }),
]
const begin = opened('text', state('text_chat', 'guide'))

test.each<[what: string, steps: Steps]>([
  [
    'an item behind the last one is the last',
    [...put('a', 'i1', null), ...put('b', 'i2', 'i1', { previous_item_id: 'i1' }), ...put('c', 'i3', 'i2')],
  ],
  [
    'behind a deleted last one, an inserted item is the last',
    [
      ...put('a', 'i1', null),
      ...put('b', 'i2', 'i1'),
      ...put('c', 'i3', 'i1', { previous_item_id: 'i1' }),
      ...gone('d', 'i2'),
      ...put('e', 'i4', 'i3'),
    ],
  ],
  [
    'an id that was refused by an error without a name may be used once its item is deleted',
    [
      ...put('a', 'i1', null),
      send('b', 'conversation.item.create', { item: message('i1', 'user', 'b.') }),
      come('b.error', 'error', { error: { type: 'x', message: 'x' } }),
      ...gone('c', 'i1'),
      ...put('d', 'i1', null),
    ],
  ],
  [
    'a create under an id that is taken is answered with the item that is there',
    [
      ...put('a', 'i1', null),
      ...put('b', 'i2', 'i1'),
      send('c', 'conversation.item.create', { item: message('i1', 'user', 'c.') }),
      come('c.created', 'conversation.item.created', { previous_item_id: null, item: message('i1', 'user', 'a.') }),
      ...put('d', 'i3', 'i2'),
    ],
  ],
])('%s', (_, steps) => {
  expect(verdictsOf(rules, [...begin, ...steps, quiet]).reasons).toEqual([])
})

test('an id that comes again brings the new item, not the one that was deleted', () => {
  const anew: Steps = [...begin, ...put('a', 'i1', null), ...gone('b', 'i1'), ...put('c', 'i1', null)]
  const steps = (text: string): Steps => [...anew, ...retrieved('d', message('i1', 'user', text)), quiet]
  expect(verdictsOf(rules, steps('c.')).reasons).toEqual([])
  expect(verdictsOf(rules, steps('a.')).broken).toContain('item-retrieve.content')
})
