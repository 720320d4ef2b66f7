import { expect, test } from 'vitest'
import { long, opened, quiet } from '#testing/channel/opened'
import { drop, set, type Step, type Steps } from '#testing/channel/steps'
import { answer, come, message, resource, response, send, speech, state } from '#testing/channel/talk'
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
]

test.each(legal)('%s', (_, steps) => {
  expect(verdictsOf(rules, [...steps, quiet]).reasons).toEqual([])
})

test('an error that names no event of ours is wrong where each of them had an id', () => {
  const steps = [...text, send('f', 'session.rewind'), errorNaming('e', 'made-1'), quiet]
  expect(verdictsOf(rules, steps).broken).toContain('error.event-id-names-cause')
  const two = [nameless('g', { type: 'session.rewind' }), errorNaming('e1', 'made-1'), errorNaming('e2', 'made-2')]
  expect(verdictsOf(rules, [...text, ...two, quiet]).broken).toContain('error.event-id-names-cause')
})
