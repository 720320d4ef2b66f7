import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { applied, come, created, message, response, retrieved, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

// "A client or server processing step fails" (6.2): nothing says that what was begun is undone then, or not tried again.
const begin = opened('text', state('text_chat', 'guide'))
const reasonsOf = (...steps: Steps): readonly string[] => verdictsOf(rules, [...begin, ...steps, quiet]).reasons

function ownFailure(id: string, named = id): Step {
  const error = { type: 'server_error', code: 'timeout', message: 'Try again.', event_id: named }
  return come(`${id}.failure`, 'error', { error })
}

const [one, two] = [message('i1', 'user', 'One.'), message('i2', 'user', 'Two.')]

test.each<[what: string, steps: Steps]>([
  [
    'an update that took effect',
    [
      ...applied('u1', {}, state('text_chat', 'guide')),
      send('u2', 'session.update', { session: { active_avatar_id: 'host' } }),
      ownFailure('u2'),
      ...applied('u3', {}, state('text_chat', 'host')),
      ...applied('u4', {}, state('text_chat', 'host')),
    ],
  ],
  [
    'an update that took none',
    [
      send('u2', 'session.update', { session: { active_avatar_id: 'host' } }),
      ownFailure('u2'),
      ...applied('u3', {}, state('text_chat', 'guide')),
    ],
  ],
  [
    'an update that was tried again',
    [
      send('u2', 'session.update', { session: { active_avatar_id: 'host' } }),
      ownFailure('u2'),
      ...applied('u2', {}, state('text_chat', 'host')).slice(1),
      ...applied('u3', {}, state('text_chat', 'host')),
    ],
  ],
  [
    'an item that was put',
    [
      ...created('i1', one, null),
      send('i2', 'conversation.item.create', { item: two }),
      ownFailure('i2'),
      ...created('i3', message('i3', 'user', 'Three.'), 'i2'),
    ],
  ],
  [
    'an item that was put, where the error names no event',
    [
      ...created('i1', one, null),
      send('i2', 'conversation.item.create', { item: two }),
      ownFailure('i2', ''),
      ...created('i3', message('i3', 'user', 'Three.'), 'i2'),
    ],
  ],
  [
    'an item that was deleted, and put anew',
    [
      ...created('i1', one, null),
      send('d', 'conversation.item.delete', { item_id: 'i1' }),
      ownFailure('d'),
      ...created('i1', message('i1', 'user', 'Anew.'), null).map((step) =>
        'tag' in step ? { ...step, tag: `${step.tag}.anew` } : step,
      ),
      ...retrieved('g', message('i1', 'user', 'Anew.')),
    ],
  ],
  [
    'a response that was tried again',
    [
      send('r', 'response.create', { response: speech('Hello there.') }),
      ownFailure('r'),
      ...response('r', { asked: speech('Hello there.') }).slice(1),
    ],
  ],
])('%s, and a failure of the service’s own over it: nothing is broken', (_, steps) => {
  expect(reasonsOf(...steps)).toEqual([])
})

test('an update that was refused for what it asks is another matter', () => {
  const error = { type: 'invalid_request_error', code: 'no', message: 'No.', event_id: 'u2' }
  const { broken } = verdictsOf(rules, [
    ...begin,
    ...applied('u1', {}, state('text_chat', 'guide')),
    send('u2', 'session.update', { session: { active_avatar_id: 'host' } }),
    come('u2.error', 'error', { error }),
    ...applied('u3', {}, state('text_chat', 'host')),
    quiet,
  ])
  expect(broken).toContain('session-update.rejected-changes-nothing')
})
