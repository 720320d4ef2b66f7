import { expect, test } from 'vitest'
import { close, opened, quiet } from '#testing/channel/opened'
import { again, all, type Change, drop, move, set, type Setting, type Steps } from '#testing/channel/steps'
import { answer, come, message, resource, response, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

// Responses that nobody asked for: openings, and answers to what a user said.

const setting: Setting = { recording: 'watch' }
const heard = { conversation: { turn_detection: { type: 'server_vad' } } }
const text = opened('s', state('text_chat', 'guide'), 'one', heard)
const video = opened('s', state('video_avatar', 'guide', 'g1'), 'one', heard)

/** What a user says, as the service tells it. */
const says = (id: string, previous: string | null = null): Steps => [
  come(`${id}.started`, 'input_audio.speech_started', { item_id: id, audio_start_ms: 1 }),
  come(`${id}.stopped`, 'input_audio.speech_stopped', { item_id: id, audio_end_ms: 900 }),
  come(`${id}.created`, 'conversation.item.created', {
    previous_item_id: previous,
    item: { ...message(id, 'user', ''), content: [{ type: 'input_audio', transcript: 'Hi.' }], status: 'completed' },
  }),
]

/** A response that names no request. */
const unasked = (id: string, inVideo = false, previous: string | null = null): Steps =>
  set(`${id}.created`, { request_event_id: undefined })(answer(id, { video: inVideo, previous }))

const finished = (words: string, more: JsonObject = {}): JsonObject => ({
  ...message('m-a', 'assistant', words, { status: 'completed' }),
  ...more,
})
const ends = (item: JsonObject): Change =>
  all(
    set('a.item.done', { item }),
    set('a.done', { response: resource('r-a', 'completed', item['type'] === undefined ? [] : [item]) }),
  )

/** The first response may be an opening, whatever was said before it. */
const greeted = [...text, ...unasked('o'), ...says('u', 'm-o')]
const greetedInVideo = [...video, ...unasked('o', true), ...says('u', 'm-o')]
const ofText = [...greeted, ...unasked('a', false, 'u'), quiet]
const ofVideo = [...greetedInVideo, ...unasked('a', true, 'u'), quiet]
const opening = [...text, ...unasked('a'), quiet]
const openingInVideo = [...video, ...unasked('a', true), quiet]

const call = { id: 'f', type: 'function_call', status: 'completed', call_id: 'c', name: 'look_up', arguments: '{}' }
const calls = (name: string, told = true): Steps => [
  ...greeted,
  come('c', 'response.created', { response: resource('r-c', 'in_progress') }),
  ...(told
    ? [come('i', 'response.output_item.done', { response_id: 'r-c', output_index: 0, item: { ...call, name } })]
    : []),
  come('f', 'conversation.item.created', { previous_item_id: 'u', item: { ...call, name } }),
  come('d', 'response.done', { response: resource('r-c', 'completed', [{ ...call, name }]) }),
  quiet,
]

const legal: readonly (readonly [what: string, steps: Steps])[] = [
  ['an answer in text', ofText],
  ['an answer in video', ofVideo],
  ['an opening in text', opening],
  ['an opening in video', openingInVideo],
  ['a call', calls('look_up')],
  ['an opening is written nowhere', drop('a.item')(opening)],
  ['an opening in text shows its words at its end alone', drop('a.delta1', 'a.delta2', 'a.delta3', 'a.text')(opening)],
  [
    'an opening is rendered for nobody, since nobody was there yet',
    [
      ...drop('a.started', 'a.stopped')(openingInVideo),
      ...response('w', { asked: {}, video: true, previous: 'm-a' }),
      quiet,
    ],
  ],
  [
    'an opening had begun before its connection was there',
    [...text, ...drop('a.created', 'a.item', 'a.delta1')(unasked('a'))],
  ],
  [
    'a response had begun before its connection was there, and a user speaks over it',
    [...text, ...says('u'), ...drop('a.created', 'a.item', 'a.delta1')(unasked('a', false, 'u')), quiet],
  ],
  [
    'the end of a response of before its connection comes late',
    [...text, ...response('r0', { asked: {} }), ...says('u', 'm-r0'), ...unasked('a').slice(-1), quiet],
  ],
  [
    'the end of what was rendered since before its connection comes late',
    [
      ...video,
      ...response('r0', { asked: {}, video: true }),
      ...says('u', 'm-r0'),
      ...unasked('a', true).slice(-3),
      quiet,
    ],
  ],
  ['an opening is told to whoever comes in its midst, and then the rest of it', drop('a.delta1')(opening)],
  [
    'what comes of it goes on where another connection is',
    [
      ...greeted,
      ...unasked('a', false, 'u').slice(0, 3),
      { what: 'open', channel: 'two', session: 's' },
      ...unasked('a', false, 'u')
        .slice(3)
        .map((step) => ('channel' in step ? { ...step, channel: 'two' } : step)),
      quiet,
    ],
  ],
  ['its connection is left in its midst', [...greeted, ...unasked('a', false, 'u').slice(0, 3), close()]],
  [
    'a user cuts it short',
    [
      ...greeted,
      ...all(
        drop('a.text', 'a.delta3'),
        set('a.item.done', { item: finished('Hello ', { status: 'incomplete' }) }),
        set('a.done', { response: resource('r-a', 'cancelled', [finished('Hello ', { status: 'incomplete' })]) }),
      )(unasked('a', false, 'u')),
      ...says('v', 'm-a'),
      quiet,
    ],
  ],
  [
    'it fails midway',
    [
      ...greeted,
      ...all(
        drop('a.text', 'a.item.done', 'a.delta3'),
        set('a.done', { response: resource('r-a', 'failed', []) }),
      )(unasked('a', false, 'u')),
      quiet,
    ],
  ],
  [
    'what was asked for by a client may be out of band: its service names no request',
    [
      ...greeted,
      send('q', 'response.create', { response: { conversation: 'none' } }),
      ...drop('a.item')(unasked('a')),
      quiet,
    ],
  ],
  [
    'a call of what a client offered: its service names no request',
    [
      ...greeted,
      send('q', 'response.create', { response: { tools: [{ type: 'function', name: 'open_door' }] } }),
      ...calls('open_door').slice(greeted.length),
    ],
  ],
]

test.each(legal)('nothing is broken where %s', (_, steps) => {
  expect(verdictsOf(rules, steps, setting).reasons).toEqual([])
})

const other = all(set('a.text', { text: 'Goodbye.' }), ends(finished('Goodbye.')))

const broken: readonly (readonly [what: string, steps: Steps, row: string])[] = [
  ['its final text is another one', other(ofText), 'text-delta.concatenate-to-final-text'],
  ['the final text of an opening is another one', other(opening), 'text-delta.concatenate-to-final-text'],
  ['a part of its text is not streamed', drop('a.delta1')(ofText), 'text-delta.concatenate-to-final-text'],
  ['its item is never done', drop('a.item.done')(ofText), 'output-item-done.for-every-introduced-item'],
  ['the item of an opening is never done', drop('a.item.done')(opening), 'response-done.output-items-finished'],
  ['its final text never comes', drop('a.text')(ofText), 'text-done.for-every-completed-stream'],
  ['the final text of an opening never comes', drop('a.text')(opening), 'text-done.for-every-completed-stream'],
  [
    'a finished item without final text has other text',
    all(drop('a.text'), ends(finished('Goodbye.')))(ofText),
    'text-delta.cut-item-text',
  ],
  [
    'its text is not streamed',
    drop('a.delta1', 'a.delta2', 'a.delta3', 'a.text')(ofText),
    'text-delta.for-model-output',
  ],
  [
    'the text of an opening in video is not streamed',
    drop('a.delta1', 'a.delta2', 'a.delta3', 'a.text')(openingInVideo),
    'text-delta.for-spoken-media',
  ],
  [
    'an opening is announced as of the user',
    set('a.item', { item: message('m-a', 'user', '') })(opening),
    'item-created.for-generated-output',
  ],
  [
    'it is not rendered, though others are',
    [...greetedInVideo, ...unasked('a', false, 'u'), quiet],
    'render-started.for-model-output',
  ],
  ['it is rendered before it is created', move('a.created', 'a.started')(ofVideo), 'render-started.after-created'],
  ['its end comes twice', again('a.done')(ofText), 'response-done.once'],
  ['its call is told at its end alone', calls('look_up', false), 'output-item-done.function-call-told'],
  ['it calls what nobody offered', calls('open_door'), 'output-item-done.function-call-name-offered'],
  [
    'it is never created, behind another response',
    [...greeted, ...drop('a.created')(unasked('a', false, 'u'))],
    'text-delta.of-active-response',
  ],
]

test.each(broken)('it is told where %s', (_, steps, row) => {
  expect(verdictsOf(rules, steps, setting).broken).toContain(row)
})

test('silence counts in a run alone: that an answer is announced', () => {
  const steps = drop('a.item')(ofText)
  expect(verdictsOf(rules, steps, setting).broken).toEqual([])
  expect(verdictsOf(rules, steps).broken).toEqual(['item-created.for-generated-output'])
})

test.each(legal)('nothing is broken in a run where %s', (_, steps) => {
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})
