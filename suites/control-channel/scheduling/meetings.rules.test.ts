import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { pass, response, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { speech } from '../bodies.ts'
import { cutGraceMs } from '../model/cut.ts'
import { meetings } from './meetings.rules.ts'

const told = (steps: Steps, mode = 'text_chat') =>
  verdictsOf([meetings], [...opened('text', state(mode, 'guide')), ...steps])
const old = response('s1', { asked: speech('One two.'), pieces: ['One ', 'two.'] })
const next = response('s2', { asked: speech('Three.'), pieces: ['Three.'] })

/** The second response runs from its request to its end after so many events of the first. */
const between = (one: Steps, other: Steps, after: number): Steps => [
  ...one.slice(0, after),
  ...other,
  ...one.slice(after),
]

test('a response that goes on behind the one that interrupted it, and completes, was not cancelled', () => {
  expect(told(between(old, [...next, pass(cutGraceMs)], 4)).broken).toEqual(['scheduling.interrupt-cancels-active'])
})

test.each<[what: string, steps: Steps]>([
  ['one after the other', [...old, ...next]],
  ['one that goes on for a moment, since how soon an interruption shows is not said', between(old, next, 4)],
  ['an end that is told late, all output being told before', between(old, next, old.length - 1)],
  [
    'an old one that ends before its time',
    between(response('s1', { asked: speech('One two.'), pieces: ['One '], cut: [] }), next, 4),
  ],
  [
    'a request that waits',
    between(old, response('s2', { asked: speech('Three.', { scheduling_policy: 'after_current_response' }) }), 4),
  ],
])('%s breaks nothing', (_what, steps) => {
  expect(told(steps).reasons).toEqual([])
})

test('nothing starts by reject_if_busy while another response renders', () => {
  const shown = response('s1', { asked: speech('One two.'), pieces: ['One ', 'two.'], video: true })
  const beside = response('s2', {
    asked: speech('Three.', { scheduling_policy: 'reject_if_busy' }),
    pieces: ['Three.'],
  })
  expect(told(between(shown, beside, 5), 'video_avatar').broken).toEqual([
    'scheduling.reject-if-busy-rendering-rejected',
  ])
  expect(told([...shown, ...beside], 'video_avatar').reasons).toEqual([])
  // A cancel alone does not free the session.
  const cancelled = [...shown.slice(0, 4), send('x', 'response.cancel'), ...shown.slice(4)]
  expect(told(between(cancelled, beside, 6), 'video_avatar').broken).toEqual([
    'scheduling.reject-if-busy-rendering-rejected',
  ])
})
