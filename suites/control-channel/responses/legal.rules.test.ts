import { expect, test } from 'vitest'
import { close, opened, quiet } from '#testing/channel/opened'
import { done, ended, item, textResponses } from '#testing/channel/text-responses'
import { after, all, before, type Change, set, type Steps } from '#testing/channel/steps'
import { answer, applied, come, pass, resource, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const verdicts = (change: Change, steps: Steps = textResponses) => verdictsOf(rules, change(steps))
const asked = (id: string, wanted: JsonObject): Change => set(id, { response: wanted })

const text = (channel: string) => ({ what: 'open', channel, session: 'text' }) as const

test.each<[what: string, change: Change]>([
  ['an empty name of the request', set('s1.created', { request_event_id: '' })],
  [
    'a cut item without text',
    all(ended('c1', item('c1', '', { status: 'incomplete' })), done('c1', 'cancelled', item('c1', ''))),
  ],
  [
    'the address of a recording in an item',
    done('s5', 'completed', item('s5', 'Good morning.', { audio: `https://media.example/${'a'.repeat(80)}.wav` })),
  ],
  ['a cut response that ends incomplete', done('c1', 'incomplete', item('c1', 'Once upon a time '))],
  [
    'a cancel that comes too late',
    all(
      asked('c1', speech('Once upon a time ')),
      done('c1', 'completed', item('c1', 'Once upon a time ')),
      ended('c1', item('c1', 'Once upon a time ')),
      before(
        'c1.item.done',
        come('x', 'response.output_text.done', {
          response_id: 'r-c1',
          item_id: 'm-c1',
          output_index: 0,
          text: 'Once upon a time ',
        }),
      ),
    ),
  ],
  [
    'a response cut by the end of the session',
    (steps) => [
      ...steps.slice(
        0,
        steps.findIndex((step) => 'tag' in step && step.tag === 's1.delta2'),
      ),
      { what: 'end', channel: 'one', by: 'target' },
    ],
  ],
  [
    'a response whose end is not waited for',
    (steps) => [
      ...steps.slice(
        0,
        steps.findIndex((step) => 'tag' in step && step.tag === 's1.delta2'),
      ),
      pass(4_000),
      { what: 'end', channel: 'one', by: 'us' },
    ],
  ],
  ['a silent stretch as long as the patience', after('s1.delta1', pass(4_900))],
  [
    'a response whose rest is told to a connection that came in between',
    (steps) => [
      ...steps.slice(0, 2),
      ...steps
        .slice(2)
        .flatMap((step) =>
          'tag' in step && step.tag === 's1.delta2'
            ? [text('two'), { ...step, channel: 'two' }]
            : 'tag' in step && ['s1.delta3', 's1.text', 's1.item.done', 's1.done'].includes(step.tag)
              ? [{ ...step, channel: 'two' }]
              : [step],
        ),
      quiet,
    ],
  ],
  [
    'a connection in the middle of a response',
    (steps) => [
      ...steps.slice(0, 2),
      ...steps
        .slice(2)
        .flatMap((step) =>
          'tag' in step && step.tag === 's1.delta2'
            ? [text('two'), step, { ...step, channel: 'two' }]
            : 'tag' in step && ['s1.delta3', 's1.text', 's1.item.done', 's1.done'].includes(step.tag)
              ? [step, { ...step, channel: 'two' }]
              : [step],
        ),
    ],
  ],
])('%s: nothing is broken', (_, change) => {
  expect(verdicts(change).reasons).toEqual([])
})

test('what comes on a connection that did not ask is judged by its order only', () => {
  const copies = ['delta1', 'text', 'done'].map((name) => `s1.${name}`)
  const steps = textResponses.flatMap((step) =>
    'tag' in step && copies.includes(step.tag) ? [step, { ...step, channel: 'two' }] : [step],
  )
  expect(verdicts((same) => same, [...steps.slice(0, 2), text('two'), ...steps.slice(2)]).reasons).toEqual([])
})

test('an opening speaks before anybody asks', () => {
  const opening = answer('hello', { pieces: ['Welcome.'] }).map((step) =>
    'event' in step && step.tag === 'hello.created'
      ? { ...step, event: { type: 'response.created', response: resource('r-hello', 'in_progress') } }
      : step,
  )
  const steps: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...opening.slice(0, 2),
    ...response('s1', { asked: speech('Hi.', { conversation: 'none' }), pieces: ['Hi.'] }),
    ...opening.slice(2),
    come('o', 'session.bootstrap.opening.done', { status: 'completed' }),
  ]
  expect(verdicts((same) => same, steps).reasons).toEqual([])
})

test('who names no request may be an opening until the opening is done, unless it says what was asked for', () => {
  const unnamed = (id: string, life: Parameters<typeof response>[1]): Steps =>
    response(id, life).map((step) =>
      'event' in step && step.tag === `${id}.created`
        ? { ...step, event: { type: 'response.created', response: resource(`r-${id}`, 'in_progress') } }
        : step,
    )
  const told = (words: string): readonly string[] => {
    const steps: Steps = [
      ...opened('text', state('text_chat', 'guide')),
      ...unnamed('s1', { asked: speech(words), pieces: [words] }),
      come('o', 'session.bootstrap.opening.done', { status: 'completed' }),
      ...unnamed('g1', { pieces: ['I am ', 'here.'] }),
      ...applied('u', { active_avatar_id: 'host' }, state('text_chat', 'host')),
      quiet,
      close(),
    ]
    return [...verdicts((same) => same, steps).held]
  }
  expect(told('Good morning, and here we go.')).toContain('text-delta.for-model-output')
  expect(told('Welcome.')).not.toContain('text-delta.for-model-output')
})

test('responses without ids are told by their order', () => {
  const nameless = textResponses.map((step) => {
    const shown = 'event' in step && step.what === 'come' ? step.event['response'] : undefined
    if (!('event' in step) || shown === undefined) return step
    const { id: _, ...kept } = shown as JsonObject
    return { ...step, event: { ...step.event, response: kept } }
  })
  expect(verdicts((same) => same, nameless).broken).toEqual(['response-created.id-known'])
})

test('a refusal that names nothing leaves open who asked for a response that is cut short', () => {
  const steps: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    send('w', 'response.create', { response: { script: { visual: { prompt: 'Wave.' } } } }),
    come('w.error', 'error', { error: { type: 'x', message: 'No.' } }),
    ...response('s1', {
      asked: speech('One two three.'),
      pieces: ['One '],
      cut: [send('c', 'response.cancel')],
    }).map((step) =>
      'tag' in step && step.tag === 's1.created' ? { ...step, event: { ...step.event, request_event_id: '' } } : step,
    ),
    pass(20_000),
  ]
  expect(verdicts((same) => same, steps).reasons).toEqual([])
})

/** Before the response renders, or says anything, an update changes the mode. */
const overChange = (from: JsonObject, to: JsonObject, rendered: boolean): Steps => {
  const shown = response('s1', { asked: speech('Hello there.'), pieces: ['Hello there.'], video: rendered })
  return [
    ...opened('video', from),
    // What is rendered at all has to be: another one is.
    ...applied('v', { mode: 'video_avatar' }, state('video_avatar', 'guide', 'g1')),
    ...response('s0', { asked: speech('Good morning.'), pieces: ['Good morning.'], video: true }),
    ...applied('w', { mode: from['mode'] ?? '' }, from),
    ...shown.slice(0, 2),
    ...applied('u', { mode: to['mode'] ?? '' }, to),
    ...shown.slice(2),
    quiet,
    close(),
  ]
}
const [inText, inVideo] = [state('text_chat', 'guide'), state('video_avatar', 'guide', 'g1')]

test.each<[what: string, steps: Steps]>([
  ['goes to text before it renders', overChange(inVideo, inText, false)],
  ['goes to text, and renders', overChange(inVideo, inText, true)],
  ['goes to video, and renders', overChange(inText, inVideo, true)],
  ['goes to video, and renders nothing', overChange(inText, inVideo, false)],
])('whether a change of mode reaches a response is not said: one that %s', (_, steps) => {
  expect(verdicts((same) => same, steps).reasons).toEqual([])
})

test.each<[row: string, steps: Steps]>([
  ['render-started.for-speech', overChange(inVideo, inVideo, false)],
  ['render.never-in-text-chat', overChange(inText, inText, true)],
])('without a change of mode %s is held against it', (row, steps) => {
  expect(verdicts((same) => same, steps).broken).toContain(row)
})

test('what another connection of the session was told of a response counts: to which one is not said', () => {
  const [asks, ...told] = response('r', { previous: null })
  const begin: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    text('two'),
    ...(asks === undefined ? [] : [asks]),
  ]
  const on = (channel: string, steps: Steps): Steps =>
    steps.map((one) => (one.what === 'come' ? { ...one, channel } : one))
  const row = 'text-delta.of-active-response'
  expect(
    verdictsOf(rules, [...begin, ...on('two', told.slice(0, 3)), ...on('one', told.slice(3))]).broken,
  ).not.toContain(row)
  expect(verdictsOf(rules, [...begin, ...on('two', told.slice(1, 3)), ...on('one', told.slice(3))]).broken).toContain(
    row,
  )
})

test.each(['item.done', 'text', 'started', 'stopped', 'delta2'])(
  'a connection that comes and goes in the middle of a response may be told its %s in place of the one that asked',
  (name) => {
    const inVideoShown = opened('text', state('video_avatar', 'guide', 'g1'))
    const shown = response('s1', { asked: speech('Hello there.'), pieces: ['Hel', 'lo ', 'there.'], video: true })
    const steps = shown.flatMap(
      (step): Steps =>
        'tag' in step && step.tag === `s1.${name}` ? [text('two'), { ...step, channel: 'two' }, close('two')] : [step],
    )
    const spoken = response('s0', { asked: speech('Hm.'), pieces: ['Hm.'], video: true })
    expect(verdictsOf(rules, [...inVideoShown, ...spoken, ...steps, quiet, close()]).reasons).toEqual([])
    const lost = steps.filter((step) => !('channel' in step) || step.channel !== 'two')
    expect(verdictsOf(rules, [...inVideoShown, ...spoken, ...lost, quiet, close()]).broken).not.toEqual([])
  },
)
