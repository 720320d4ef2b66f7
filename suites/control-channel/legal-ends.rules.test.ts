import { expect, test } from 'vitest'
import { long, opened, quiet } from '#testing/channel/opened'
import { drop, set, type Step, type Steps } from '#testing/channel/steps'
import { answer, come, created, message, resource, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

// How a response may end, and how an error may name what bears no id: dialogues in which nothing is broken.

const text = opened('s', state('text_chat', 'guide'))
const video = opened('s', state('video_avatar', 'guide', 'g1'))
const spoken = { asked: speech(long), pieces: [long] }

/** What bears no id. */
const nameless = (tag: string, event: JsonObject): Step => ({ what: 'send', channel: 'one', tag, event })
const errorNaming = (tag: string, event_id: string): Step =>
  come(tag, 'error', { error: { type: 'invalid_request_error', message: 'No.', event_id } })

/** An id that nobody else makes by chance. */
const shared = '6f9b1c1e-59d3-4a51-9c0f-0a5f0f2f7c11'

const half = message('m-r1', 'assistant', 'Once ', { status: 'incomplete' })
const failedMidway = (steps: Steps): Steps =>
  drop('r1.item.done')(set('r1.done', { response: resource('r-r1', 'failed', [half]) })(steps))

const legal: readonly (readonly [what: string, steps: Steps])[] = [
  [
    'an error names what bears no id by one of the service',
    [...text, nameless('f', { type: 'session.rewind' }), errorNaming('e', 'made-1')],
  ],
  [
    'a scripted response fails midway, and its end lists an item that was not done',
    [
      ...text,
      ...response('r0', { asked: speech('Hello there.') }),
      ...failedMidway(response('r1', { asked: speech(long), pieces: ['Once '], cut: [] })),
    ],
  ],
  [
    'a reply fails midway, and its end lists an item that was not done',
    [
      ...text,
      ...response('r0', { asked: speech('Hello there.') }),
      ...failedMidway(response('r1', { asked: {}, pieces: ['Once '], cut: [] })),
    ],
  ],
  [
    'an interrupted response fails at that moment',
    [
      ...text,
      ...response('w', spoken),
      send('r1', 'response.create', { response: speech(long) }),
      ...failedMidway(
        answer('r1', {
          asked: speech(long),
          pieces: ['Once '],
          cut: [send('i', 'response.create', { response: speech('Excuse me.') })],
        }),
      ),
      ...answer('i', { asked: {}, pieces: ['Excuse me.'], previous: 'm-r1' }),
    ],
  ],
  [
    'the voice of a speech stops in video when the whole text is out',
    [
      ...video,
      ...response('w', { ...spoken, video: true }),
      ...set('r1.stopped', { status: 'interrupted' })(
        response('r1', { ...spoken, video: true, status: 'incomplete', previous: 'm-w' }),
      ),
    ],
  ],
  ...deletedMidway(),
  [
    'half of a surrogate pair is spoken as U+FFFD, and stands so in an item',
    [
      ...text,
      ...response('r1', { asked: speech('Look \ud83d'), pieces: ['Look \ufffd'] }),
      ...set('a.created', { previous_item_id: 'm-r1', item: message('a', 'user', 'Look \ufffd') })(
        created('a', message('a', 'user', 'Look \ud83d'), null),
      ),
    ],
  ],
  [
    'an item of one session is brought into another one as input, and announced there',
    [
      ...text,
      ...created(shared, message(shared, 'user', 'Hi there.'), null),
      ...opened('t', state('text_chat', 'guide'), 'two'),
      send('x', 'response.create', { response: { input: [message(shared, 'user', 'Hi there.')] } }, 'two'),
      come(
        'xi',
        'conversation.item.created',
        { previous_item_id: null, item: message(shared, 'user', 'Hi there.', { status: 'completed' }) },
        'two',
      ),
      ...answer('x', { channel: 'two', asked: {}, previous: shared }),
    ],
  ],
]

/** "What deleting an item that is still streaming does" is not said. */
function deletedMidway(): readonly (readonly [what: string, steps: Steps])[] {
  const gone = [
    send('x', 'conversation.item.delete', { item_id: 'm-r1' }),
    come('x.deleted', 'conversation.item.deleted', { item_id: 'm-r1' }),
  ]
  const before = [...text, ...response('w', spoken), send('r1', 'response.create', { response: speech(long) })]
  const cut = (status: string): Steps =>
    set('r1.done', { response: resource('r-r1', status) })(
      answer('r1', { asked: speech(long), pieces: ['Once '], cut: gone, status }),
    )
  return [
    [
      'a deleted item is not told done, and its response ends cancelled',
      [...before, ...drop('r1.item.done')(cut('cancelled'))],
    ],
    [
      'a deleted item is not told done, and its response completes',
      [...before, ...drop('r1.item.done')(cut('completed'))],
    ],
    ['a deleted item is told done, and not listed', [...before, ...cut('cancelled')]],
  ]
}

test.each(legal)('%s', (_, steps) => {
  expect(verdictsOf(rules, [...steps, quiet]).reasons).toEqual([])
})

test('an error that names no event of ours is wrong where each of them had an id', () => {
  const steps = [...text, send('f', 'session.rewind'), errorNaming('e', 'made-1'), quiet]
  expect(verdictsOf(rules, steps).broken).toContain('error.event-id-names-cause')
  const two = [nameless('g', { type: 'session.rewind' }), errorNaming('e1', 'made-1'), errorNaming('e2', 'made-2')]
  expect(verdictsOf(rules, [...text, ...two, quiet]).broken).toContain('error.event-id-names-cause')
})
