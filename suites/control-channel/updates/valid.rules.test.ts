import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, refused, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { sessionState } from './state.rules.ts'
import { updates } from './updates.rules.ts'
import { validUpdates } from './valid.rules.ts'

const nullInText = { session: { mode: 'text_chat', source_image_id: null } }

const applied = (tag: string, session: Parameters<typeof send>[2]): Steps => [
  send(tag, 'session.update', session),
  come(`${tag}.updated`, 'session.updated', { event_id: tag, session: state('text_chat', 'guide') }),
  come(`${tag}.done`, 'session.update.done', { request_event_id: tag, status: 'completed' }),
]

const told = (...steps: Steps) => verdictsOf([validUpdates], [...opened('text', state('text_chat', 'guide')), ...steps])

test('a null image in text that is refused each time is told', () => {
  const { broken } = told(...refused('a', 'session.update', nullInText), ...refused('b', 'session.update', nullInText))
  expect(broken).toEqual(['session-update.text-chat-mode-applied'])
})

test.each<[what: string, steps: Steps]>([
  ['refused once', refused('a', 'session.update', nullInText)],
  [
    'refused twice, and taken then',
    [
      ...refused('a', 'session.update', nullInText),
      ...refused('b', 'session.update', nullInText),
      ...applied('c', nullInText),
    ],
  ],
  [
    'with a field that nobody knows',
    [
      ...refused('a', 'session.update', { session: { ...nullInText.session, colour: 'red' } }),
      ...refused('b', 'session.update', { session: { ...nullInText.session, colour: 'red' } }),
    ],
  ],
  [
    'to video with an image that nobody has seen there',
    [
      ...refused('a', 'session.update', { session: { mode: 'video_avatar' } }),
      ...refused('b', 'session.update', { session: { mode: 'video_avatar' } }),
    ],
  ],
])('%s: nothing is broken', (_, steps) => {
  expect(told(...steps).reasons).toEqual([])
})

test.each<[what: string, channels: readonly string[], failing?: string]>([
  ['that asked', ['one']],
  ['beside it, which hears first', ['two', 'one']],
  ['beside it, which had the failure', ['two', 'one'], 'two'],
])(
  'an answer behind a failure over an update without an id is that of the next one: the connection %s',
  (_, channels) => {
    const nameless = (tag: string, active_avatar_id: string): Step => {
      return { what: 'send', channel: 'one', tag, event: { type: 'session.update', session: { active_avatar_id } } }
    }
    const { reasons } = verdictsOf(
      [sessionState, updates],
      [
        ...opened('text', state('text_chat', 'guide')),
        { what: 'open', channel: 'two', session: 'text' },
        nameless('a', 'host'),
        come('a.error', 'error', { error: { type: 'server_error', message: 'A step failed.' } }),
        nameless('b', 'guide'),
        ...channels.flatMap((channel) => [
          come(
            `${channel}.updated`,
            'session.updated',
            { event_id: 'b', session: state('text_chat', 'guide') },
            channel,
          ),
          come(`${channel}.done`, 'session.update.done', { request_event_id: 'b', status: 'completed' }, channel),
        ]),
      ],
    )
    expect(reasons).toEqual([])
  },
)
