import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import { type Change, set, type Step, type Steps } from '#testing/channel/steps'
import { answer, come, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { Json, JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

// A client whose `event_id`s are numbers: whether they are refused is not said, nor how they are named (4.4: a string).

const text = opened('s', state('text_chat', 'guide'))

const send = (tag: string, type: string, event_id: Json, fields: JsonObject): Step => ({
  what: 'send',
  channel: 'one',
  tag,
  event: { type, event_id, ...fields },
})

const named = (avatar: string, id: Json, name: Json, at: string): Steps => [
  send(at, 'session.update', id, { session: { active_avatar_id: avatar } }),
  come(`${at}.updated`, 'session.updated', { event_id: name, session: state('text_chat', avatar) }),
  come(`${at}.done`, 'session.update.done', { event_id: at, request_event_id: name, status: 'completed' }),
]

const error = (id: Json): Step =>
  come('e', 'error', { error: { type: 'invalid_request_error', message: 'No.', event_id: id } })

const legal: readonly (readonly [what: string, steps: Steps])[] = [
  ['as text beside ids that the service counts', [...named('host', 1, '1', '2'), ...named('guide', 3, '3', '1')]],
  ['as numbers', [...named('host', 1, 1, 'a'), ...named('guide', 2, 2, 'b')]],
  ['as text twice, since it came twice', [...named('host', 1, '1', 'a'), ...named('guide', 1, '1', 'b')]],
  [
    'as a number by the response',
    [
      send('r', 'response.create', 7, { response: speech('Hello there.') }),
      ...set('r1.created', { request_event_id: 7 })(answer('r1', { asked: speech('Hello there.') })),
    ],
  ],
  ['as a number by an error', [send('x', 'session.rewind', 7, {}), error(7)]],
]

test.each(legal)('a number may be named %s', (_, steps) => {
  expect(verdictsOf(rules, [...text, ...steps, quiet]).reasons).toEqual([])
})

const other: Change = set('a.updated', { event_id: 9 })

test.each([
  ['another number is none of ours', other(named('host', 1, 1, 'a')), 'server-event.event-id-nonempty'],
  ['nor is it in an error', [send('x', 'session.rewind', 7, {}), error(8)], 'error.event-id-string'],
  [
    'a name of ours is no id of an event that is not its echo',
    [...named('host', 1, '1', 'a'), come('b', 'session.update.done', { event_id: 'a', request_event_id: '1' })],
    'server-event.event-id-unique',
  ],
])('%s', (_, steps, row) => {
  expect(verdictsOf(rules, [...text, ...steps, quiet]).broken).toContain(row)
})
