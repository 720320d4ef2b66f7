import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { answer, come, resource, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

/** An opening that begins as a speech is asked for, and is interrupted by it. */
const crossing: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  send('s1', 'response.create', { response: speech('Hello there.') }),
  come('o.created', 'response.created', { response: resource('r-o', 'in_progress') }),
  come('o.done', 'response.done', { response: resource('r-o', 'cancelled') }),
  ...answer('s1', { asked: speech('Hello there.'), pieces: ['Hello ', 'there.'] }),
]

test('an opening that begins while the first speech is asked for is none that nobody asked for', () => {
  expect(verdictsOf(rules, crossing).reasons).toEqual([])
})

test('nor is it one where a later request has no answer yet', () => {
  const more = [...crossing, send('s2', 'response.create', { response: speech('And more.') })]
  expect(verdictsOf(rules, more).reasons).toEqual([])
})

test('a second response that nobody asked for is no opening', () => {
  const again = come('x', 'response.created', { response: resource('r-x', 'in_progress') })
  expect(Object.keys(verdictsOf(rules, [...crossing, again]).reasons).length).toBeGreaterThan(0)
})
