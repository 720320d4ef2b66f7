import { expect, test } from 'vitest'
import { close, opened } from '#testing/channel/opened'
import { set, type Steps } from '#testing/channel/steps'
import { answer, come, pass, resource, response, send, speech, state } from '#testing/channel/talk'
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

test.each(['manual', undefined])('whether a service may speak by itself is said of manual turns alone: %s', (type) => {
  const conversation = { turn_detection: type === undefined ? {} : { type } }
  const steps: Steps = [
    ...opened('text', state('text_chat', 'guide'), 'one', { conversation }).map((step) =>
      step.what === 'create' ? { ...step, data: { ...step.data, conversation } } : step,
    ),
    ...response('s1', { asked: speech('Hello.'), pieces: ['Hello.'] }),
    pass(30_000),
    come('x.created', 'response.created', { response: resource('r-x', 'in_progress') }),
    come('x.done', 'response.done', { response: resource('r-x', 'completed') }),
  ]
  const row = 'response-create.created-only-when-asked'
  expect(verdictsOf(rules, steps).broken).toEqual(type === 'manual' ? [row] : [])
})

test('another request has another id of its response, also on the next connection', () => {
  const of = (id: string, channel: string): Steps =>
    response(id, { asked: speech('Hello.'), pieces: ['Hello.'], channel }).map((step) =>
      step.what === 'come'
        ? { ...step, event: JSON.parse(JSON.stringify(step.event).replaceAll(`r-${id}`, 'r-1')) }
        : step,
    )
  const steps: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...of('s1', 'one'),
    close(),
    { what: 'open', channel: 'two', session: 'text' },
  ]
  const replayed = of('s1', 'two').filter(({ what }) => what === 'come')
  expect(verdictsOf(rules, [...steps, ...replayed]).broken).toEqual([])
  expect(verdictsOf(rules, [...steps, ...of('s2', 'two')]).broken).toContain('response.id-unique')
})

const opens = (id: string, status: string, channel: string): Steps => [
  come(`${id}.created`, 'response.created', { response: resource(`r-${id}`, 'in_progress') }, channel),
  come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, status) }, channel),
  come(`${id}.opened`, 'session.bootstrap.opening.done', { status }, channel),
]
const left: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  ...opens('o', 'cancelled', 'one'),
  close(),
  { what: 'open', channel: 'two', session: 'text' },
]

test('an opening that was left may begin anew on the next connection', () => {
  expect(verdictsOf(rules, [...left, ...opens('p', 'completed', 'two')]).reasons).toEqual([])
})

test('what is told without a new beginning is a replay', () => {
  const replayed = verdictsOf(rules, [...left, ...opens('p', 'completed', 'two').slice(-1)])
  expect(replayed.broken).toEqual(['opening-done.replay-agrees'])
})

/** What a service says that names no request. */
const nameless = (id: string, pieces: readonly string[]): Steps =>
  set(`${id}.created`, { request_event_id: undefined })(answer(id, { pieces }))
const refusal = come('e', 'error', { error: { type: 'invalid_request_error', message: 'Busy.' } })
const asks = (id: string, text: string) => send(id, 'response.create', { response: speech(text) })

test('what comes first, and is none of the texts that were asked for, may be an opening', () => {
  const steps = [...opened('text', state('text_chat', 'guide')), asks('s1', 'Hello there.'), refusal]
  expect(verdictsOf(rules, [...steps, ...nameless('o', ['Welcome.'])]).reasons).toEqual([])
})

test('what comes later is none', () => {
  const first = [asks('s1', 'Hello there.'), ...nameless('s1', ['Hello ', 'there.'])]
  const second = [asks('s2', 'Good night.'), ...nameless('s2', ['Good day.'])]
  const { broken } = verdictsOf(rules, [...opened('text', state('text_chat', 'guide')), ...first, ...second])
  expect(broken).toContain('script-speech.text-done-exact')
})
