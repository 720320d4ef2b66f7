import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { answer, come, message, resource, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

// Scripts that are spoken by several messages, and blank ones.

const text = opened('s', state('text_chat', 'guide'))
const script = 'There was a house by the river. It was red.'
const [one, two] = ['There was a house by the river.', 'It was red.'] as const

function piece(id: string, index: number, words: string, status = 'completed'): Steps {
  const place = { response_id: 'r-r1', item_id: id, output_index: index }
  return [
    come(`${id}.delta`, 'response.output_text.delta', { ...place, delta: words }),
    ...(status === 'completed' ? [come(`${id}.text`, 'response.output_text.done', { ...place, text: words })] : []),
    come(`${id}.done`, 'response.output_item.done', {
      response_id: 'r-r1',
      output_index: index,
      item: message(id, 'assistant', words, { status }),
    }),
  ]
}

/** A speech whose second message is cut short. */
const cutAt = (second: string, status = 'cancelled'): Steps => [
  ...text,
  send('r1', 'response.create', { response: speech(script) }),
  come('r1.created', 'response.created', { request_event_id: 'r1', response: resource('r-r1', 'in_progress') }),
  ...piece('a1', 0, one),
  send('x', 'response.cancel'),
  ...piece('a2', 1, second, 'incomplete'),
  come('r1.done', 'response.done', {
    response: resource('r-r1', status, [
      message('a1', 'assistant', one, { status: 'completed' }),
      message('a2', 'assistant', second, { status: 'incomplete' }),
    ]),
  }),
  quiet,
]

test('pieces of a script that is cut short are its beginning', () => {
  expect(verdictsOf(rules, cutAt(two.slice(0, 6))).broken).toEqual(['script.one-item-for-text'])
})

test('pieces of another text are not', () => {
  expect(verdictsOf(rules, cutAt('It is ')).broken).toContain('script-speech.text-done-exact')
})

test('nor is a script whole that was cut in its second piece', () => {
  expect(verdictsOf(rules, cutAt(two.slice(0, 6), 'completed')).broken).toContain('response-done.final-statuses-told')
})

test('of blanks nothing need be spoken', () => {
  const blank = answer('r1', { asked: speech('  \n') }).filter(({ what }) => what === 'come')
  const [created, ended] = [blank.slice(0, 1), come('d', 'response.done', { response: resource('r-r1', 'completed') })]
  const steps = [...text, send('r1', 'response.create', { response: speech('  \n') }), ...created, ended, quiet]
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})

test('a word in place of blanks is another text', () => {
  const steps = [...text, ...response('r1', { asked: speech('  '), pieces: ['Hello.'] }), quiet]
  expect(verdictsOf(rules, steps).broken).toContain('script-speech.unusual-text-exact')
})
