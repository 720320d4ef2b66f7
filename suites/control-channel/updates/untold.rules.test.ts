import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { applied, come, response, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

test.each<[what: string, ids: { event_id?: string }, cause: { event_id?: string }]>([
  ['no id', {}, {}],
  ['one id for both', { event_id: 'same' }, { event_id: 'same' }],
])(
  'of updates that cannot be told apart a refused one is not blamed for what the next one shows: %s',
  (_, ids, cause) => {
    const update = (tag: string, active_avatar_id: string): Step => {
      return {
        what: 'send',
        channel: 'one',
        tag,
        event: { type: 'session.update', ...ids, session: { active_avatar_id } },
      }
    }
    const { reasons } = verdictsOf(rules, [
      ...opened('text', state('text_chat', 'guide')),
      update('a', 'nobody'),
      come('a.error', 'error', { error: { type: 'invalid_request_error', message: 'No such avatar.', ...cause } }),
      update('b', 'host'),
      come('b.updated', 'session.updated', { event_id: 'same', session: state('text_chat', 'host') }),
      come('b.done', 'session.update.done', { request_event_id: 'same', status: 'completed' }),
    ])
    expect(reasons).toEqual([])
  },
)

test('an end that names the id of an acknowledgement is that of its update, whoever else waits for one', () => {
  const update = (tag: string, active_avatar_id: string, channel: string): Step => {
    return { what: 'send', channel, tag, event: { type: 'session.update', session: { active_avatar_id } } }
  }
  const both = (tag: string, type: string, body: Parameters<typeof come>[2]): Steps => {
    return ['one', 'two'].map((channel) => come(`${tag}.${channel}`, type, body, channel))
  }
  const { reasons } = verdictsOf(rules, [
    ...opened('text', state('text_chat', 'guide')),
    { what: 'open', channel: 'two', session: 'text' },
    update('a', 'host', 'two'),
    ...both('a.updated', 'session.updated', { event_id: 'made-1', session: state('text_chat', 'host') }),
    update('b', 'guide', 'one'),
    ...both('a.done', 'session.update.done', { request_event_id: 'made-1', status: 'completed' }),
    ...both('b.updated', 'session.updated', { event_id: 'made-2', session: state('text_chat', 'guide') }),
    ...both('b.done', 'session.update.done', { request_event_id: 'made-2', status: 'completed' }),
  ])
  expect(reasons).toEqual([])
})

test('a response behind an update of a session that may be over is not taken for one of the mode before', () => {
  const video = (more: Steps): Steps => [
    ...opened('video', state('video_avatar', 'guide', 'g1')),
    ...response('s1', { asked: speech('Hello there.'), video: true }),
    ...more,
    ...applied('u1', { mode: 'text_chat' }, state('text_chat', 'guide')),
    ...response('s2', { asked: speech('Hello there.'), previous: 'm-s1' }),
  ]
  const over = come('over', 'session.closed', { session_id: 'ses_1', reason: 'maintenance' })
  expect(verdictsOf(rules, video([])).broken).not.toContain('render-started.for-speech')
  expect(verdictsOf(rules, video([over])).broken).not.toContain('render-started.for-speech')
})
