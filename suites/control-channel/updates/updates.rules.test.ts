import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { speechAndOpening, twoSessions } from '#testing/channel/others'
import { textState } from '#testing/channel/text-state'
import { videoState } from '#testing/channel/video'
import { after, again, all, type Change, drop, edit, move, set, type Step, type Steps } from '#testing/channel/steps'
import { applied, come, failed, pass, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

const verdicts = (steps: Steps, change: Change = (same) => same) => verdictsOf(rules, change(steps))

const shown = (tag: string, mode: string, avatar: string, image: string | null = null): Change =>
  set(`${tag}.updated`, { session: state(mode, avatar, image) })
/** What follows shows what a target that did this would show. */
const until = (tags: readonly string[], mode: string, avatar: string, image: string | null = null): Change =>
  all(...tags.map((tag) => shown(tag, mode, avatar, image)))

test.each<[rows: string, steps: Steps, change: Change]>([
  ['session-update.accepted-yields-updated', textState, drop('u1.updated')],
  ['session-update.updated-once', textState, again('u1.updated', 'u1.done')],
  [
    'session-update.updated-once',
    textState,
    after('u1.done', come('x', 'session.updated', { event_id: 'odd', session: state('text_chat', 'host') })),
  ],
  ['session-update.accepted-yields-done', textState, move('u1.updated', 'u1.done')],
  ['session-update.accepted-yields-done', textState, all(drop('u1.done'), after('u1.updated', pass(6_000)))],
  ['session-update.done-once', textState, again('u1.done')],
  [
    'session-update.invalid-no-updated',
    textState,
    after('u3.error', come('x', 'session.updated', { event_id: 'u3', session: state('text_chat', 'host') })),
  ],
  [
    'session-update.invalid-no-done',
    textState,
    after('u3.error', come('x', 'session.update.done', { request_event_id: 'u3', status: 'failed' })),
  ],
  ['session-update.invalid-answered-by-error', textState, all(drop('u3.error'), after('u3', pass(6_000)))],
  ['session-update.undisturbed-completes', textState, set('u1.done', { status: 'failed' })],
  ['session-updated.event-id-echoed', textState, set('u1.updated', { event_id: 'server-made' })],
  ['session-updated.event-id-generated', textState, set('u8.updated', { event_id: '' })],
  [
    'session-updated.only-when-applied',
    twoSessions,
    (steps) => [
      ...opened('calm', state('text_chat', 'guide'), 'calm'),
      come('x', 'session.updated', { session: state('text_chat', 'guide') }, 'calm'),
      ...steps,
    ],
  ],
  ['session-update-done.request-event-id', textState, set('u1.done', { request_event_id: 'another' })],
  [
    'session-update-done.not-replayed',
    twoSessions,
    after('o1', come('x', 'session.update.done', { request_event_id: 'u1', status: 'completed' }, 'again')),
  ],
  [
    'error.event-id-names-cause',
    textState,
    edit('u3.error', (event) => ({ ...event, error: { type: 'x', message: 'x', event_id: 'u99' } })),
  ],
  ['error.event-id-names-cause', textState, after('u4.done', failed('u4'))],
  [
    'server-event.event-id-unique',
    textState,
    all(set('u1.done', { event_id: 'same' }), set('u2.done', { event_id: 'same' })),
  ],
  ['server-event.event-id-server-generated', textState, set('a1.added', { event_id: 'a1' })],
])('%s (%#)', (row, steps, change) => {
  const found = verdicts(steps, change).broken
  expect(found.filter((one) => !one.startsWith('server-event.event-id-nonempty'))).toEqual([row])
})

test.each<[rows: readonly string[], steps: Steps, change: Change]>([
  [['session-update.active-avatar-applied'], textState, until(['u1', 'u2', 'u4', 'u5'], 'text_chat', 'only')],
  [
    ['session-update.active-avatar-kept-when-omitted', 'session-update.persists'],
    textState,
    until(['u2', 'u4', 'u5'], 'text_chat', 'guide'),
  ],
  [
    ['session-update.active-avatar-kept-when-omitted', 'session-update.persists'],
    textState,
    until(['u7'], 'text_chat', 'guide'),
  ],
  [['session-update.rejected-changes-nothing'], textState, until(['u4', 'u5'], 'text_chat', 'guide')],
  [['session-updated.active-avatar-known'], textState, until(['u2', 'u4', 'u5'], 'text_chat', 'somebody')],
  [['session-updated.source-image-null-in-text-chat'], textState, shown('u1', 'text_chat', 'host', 'h1')],
  [['avatar-add.not-active'], textState, shown('u5', 'text_chat', 'late')],
  [
    ['session-update.unknown-avatar-rejected'],
    textState,
    all(
      drop('u3.error'),
      after(
        'u3',
        ...applied('u3', {}, state('text_chat', 'nobody')).slice(1),
        ...applied('u3c', { active_avatar_id: 'host' }, state('text_chat', 'host')),
      ),
    ),
  ],
  [
    ['session-update.unknown-mode-rejected'],
    textState,
    all(
      drop('u3b.error'),
      after(
        'u3b',
        ...applied('u3b', {}, state('text_chat', 'guide')).slice(1),
        ...applied('u3c', { active_avatar_id: 'host' }, state('text_chat', 'host')),
      ),
    ),
  ],
])('%s in text_chat', (rows, steps, change) => {
  expect(verdicts(steps, change).broken).toEqual(rows)
})

test.each<[row: string, change: Change]>([
  ['session-update.source-image-applied', until(['u1', 'u2'], 'video_avatar', 'guide', 'g1')],
  ['session-update.source-image-kept-when-omitted', shown('u2', 'video_avatar', 'guide', 'g1')],
  ['session-update.null-clears-explicit-image', shown('u3', 'video_avatar', 'guide', 'g2')],
  ['session-update.avatar-switch-drops-old-image', shown('u4', 'video_avatar', 'host', 'g1')],
  ['session-update.avatar-switch-derives-image', shown('u4', 'video_avatar', 'host', 'g2')],
  ['session-update.avatar-and-image-together', shown('u5', 'video_avatar', 'guide', 'g1')],
  ['session-update.mode-kept-when-omitted', shown('u2', 'text_chat', 'guide')],
  ['session-update.text-chat-mode-applied', shown('u6', 'video_avatar', 'guide', 'g2')],
  ['session-update.video-mode-applied', shown('u7', 'text_chat', 'guide')],
  ['session-update.cleared-image-not-restored', shown('u7', 'video_avatar', 'guide', 'g2')],
  ['session-updated.source-image-set-in-video', shown('u9', 'video_avatar', 'only', null)],
  ['session-update.to-video-explicit-image', shown('u11', 'video_avatar', 'guide', 'g1')],
  ['session-updated.source-image-set-in-video', shown('u1', 'video_avatar', 'guide', null)],
  ['session-updated.source-image-set-in-video', shown('u3', 'video_avatar', 'guide', 'zzz')],
  ['avatar-add.not-active-source-image', shown('u13', 'video_avatar', 'guide', 'l1')],
])('%s in video', (row, change) => {
  const { broken, reasons } = verdicts(videoState, change)
  expect(broken, reasons.join('\n')).toContain(row)
})

const accepted = (id: string, mode: string, avatar: string, image: string | null): Change =>
  all(drop(`${id}.error`), after(id, ...applied(id, {}, state(mode, avatar, image)).slice(1)))

test.each<[row: string, change: Change]>([
  ['session-update.unknown-image-rejected', accepted('f1', 'video_avatar', 'guide', 'zzz')],
  ['session-update.image-of-other-avatar-rejected', accepted('f2', 'video_avatar', 'guide', 'h1')],
  ['session-update.unusable-image-rejected', accepted('f3', 'video_avatar', 'guide', 'bare')],
  ['session-update.avatar-without-visual-rejected', accepted('f4', 'video_avatar', 'plain', null)],
  ['session-update.to-video-without-visual-rejected', accepted('f5', 'video_avatar', 'plain', null)],
  ['session-update.to-video-without-image-url-rejected', accepted('f6', 'video_avatar', 'urlless', 'u1')],
  ['session-update.to-video-ambiguous-image-rejected', accepted('f7', 'video_avatar', 'several', 's1')],
])('%s: an update that must fail was applied', (row, change) => {
  expect(verdicts(videoState, change).broken).toContain(row)
})

test.each<[what: string, steps: Steps, change: Change]>([
  [
    'an empty id in an error',
    textState,
    edit('u3.error', (event) => ({ ...event, error: { type: 'x', message: '', event_id: '' } })),
  ],
  ['an update of which nothing is heard', textState, drop('u2.updated', 'u2.done')],
  ['a replayed opening', speechAndOpening, set('o2', { event_id: 'server-1' })],
])('%s: nothing is broken', (_, steps, change) => {
  expect(verdicts(steps, change).reasons).toEqual([])
})

test('who else learns of an update is not said', () => {
  const second: Steps = [{ what: 'open', channel: 'two', session: 'text' }]
  const only = after(
    'u1.done',
    come('u1.two', 'session.update.done', { request_event_id: 'u1', status: 'completed' }, 'two'),
  )
  const both = after(
    'u1.updated',
    come('u1.copy', 'session.updated', { event_id: 'u1', session: state('text_chat', 'host') }, 'two'),
  )
  const start = (steps: Steps): Steps => [...steps.slice(0, 2), ...second, ...steps.slice(2)]
  expect(verdicts(textState, all(start, only)).reasons).toEqual([])
  expect(verdicts(textState, all(start, both, only)).reasons).toEqual([])
})

test.each(['updated', 'done'])('a %s that comes to another connection alone has come', (end) => {
  const elsewhere: Change = (steps) =>
    steps.map((step) => ('tag' in step && step.tag === `u2.${end}` ? { ...step, channel: 'newest' } : step))
  const two: Steps = [
    ...opened('first', state('text_chat', 'guide')),
    ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
    { what: 'open', channel: 'newest', session: 'first' },
    ...applied('u2', { active_avatar_id: 'guide' }, state('text_chat', 'guide')),
    pass(12_000),
    ...applied('u3', { active_avatar_id: 'host' }, state('text_chat', 'host')),
  ]
  expect(verdicts(two, elsewhere).broken).toEqual(['connections.sender-is-answered'])
})

test('updates of two connections may be acknowledged in another order than they were applied', () => {
  const crossing: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    { what: 'open', channel: 'two', session: 'text' },
    send('x', 'session.update', { session: { active_avatar_id: 'host' } }),
    send('y', 'session.update', { session: { mode: 'text_chat' } }, 'two'),
    come('y.updated', 'session.updated', { event_id: 'y', session: state('text_chat', 'host') }, 'two'),
    come('x.updated', 'session.updated', { event_id: 'x', session: state('text_chat', 'host') }),
  ]
  expect(verdicts(crossing).reasons).toEqual([])
  expect(verdicts(crossing, shown('y', 'text_chat', 'guide')).reasons).toEqual([])
  expect(verdicts(crossing, shown('y', 'text_chat', 'only')).broken).toEqual([
    'session-update.active-avatar-kept-when-omitted',
  ])
})

test('session-update.newest-wins: a state that no order of the updates on their way leads to', () => {
  const burst: Steps = [
    ...opened('video', state('text_chat', 'guide')),
    send('x', 'session.update', {
      session: { mode: 'video_avatar', active_avatar_id: 'host', source_image_id: 'h1' },
    }),
    send('y', 'session.update', { session: {} }),
    come('y.updated', 'session.updated', { event_id: 'y', session: state('video_avatar', 'guide', 'g1') }),
  ]
  expect(verdicts(burst).broken).toEqual(['session-update.newest-wins'])
  expect(verdicts(burst, shown('y', 'video_avatar', 'host', 'h1')).broken).toEqual([])
  expect(verdicts(burst, shown('y', 'text_chat', 'guide')).broken).toEqual([])
})

test.each<[row: string, avatar: string, image: string | null]>([
  ['session-update.to-video-derives-default-image', 'guide', 'g2'],
  ['session-update.to-video-derives-default-image', 'guide', null],
  ['session-update.to-video-derives-only-image', 'only', null],
])('%s: %s with %s', (row, avatar, image) => {
  const steps = [
    ...opened('video', state('text_chat', avatar)),
    ...applied('u1', { mode: 'video_avatar' }, state('video_avatar', avatar, image)),
  ]
  expect(verdicts(steps).broken).toContain(row)
})

test('what comes of an update while its session ends may come in any order, or not at all', () => {
  const ends = come('closed', 'session.closed', { session_id: 'ses_1', reason: 'maintenance' })
  const steps: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
    send('u2', 'session.update', { session: { active_avatar_id: 'guide' } }),
    ends,
    come('u2.done', 'session.update.done', { request_event_id: 'u2', status: 'cancelled' }),
    come('u2.updated', 'session.updated', { event_id: 'u2', session: state('text_chat', 'guide') }),
  ]
  const own = (found: readonly string[]) => found.filter((row) => row.startsWith('session-update'))
  expect(own(verdicts(steps).broken)).toEqual([])
  expect(own(verdicts(steps, drop('u2.updated')).broken)).toEqual([])
})

test('an update that the end of its session cancels was not undisturbed', () => {
  const cancelled = set('u1.done', { status: 'cancelled' })
  const ended = after('u1.done', come('z', 'session.closed', { session_id: 's', reason: 'maintenance' }))
  const row = 'session-update.undisturbed-completes'
  expect(verdicts(textState, cancelled).broken).toContain(row)
  expect(verdicts(textState, all(cancelled, ended)).broken).not.toContain(row)
  expect(verdicts(textState, all(set('u1.done', { status: 'failed' }), ended)).broken).toContain(row)
})

test('an update that names an image may fail for it in text, too', () => {
  const image = { mode: 'text_chat', source_image_id: 'nowhere' }
  const steps = [...opened('text', state('text_chat', 'guide')), ...applied('u1', image, state('text_chat', 'guide'))]
  expect(verdicts(steps, set('u1.done', { status: 'failed' })).broken).toEqual([])
})

test.each<[what: string, channels: readonly string[], failing?: string]>([
  ['that asked', ['one']],
  ['beside it, which hears first', ['two', 'one']],
  ['beside it, which had the failure', ['two', 'one'], 'two'],
])(
  'an answer behind a failure over an update without an id is that of the next one: the connection %s',
  (_, channels, failing) => {
    const nameless = (tag: string, active_avatar_id: string, channel = 'one'): Step => {
      return { what: 'send', channel, tag, event: { type: 'session.update', session: { active_avatar_id } } }
    }
    const { reasons } = verdictsOf(rules, [
      ...opened('text', state('text_chat', 'guide')),
      { what: 'open', channel: 'two', session: 'text' },
      nameless('a', 'host', failing),
      come('a.error', 'error', { error: { type: 'server_error', message: 'A step failed.' } }, failing),
      nameless('b', 'guide'),
      ...channels.flatMap((channel) => [
        come(`${channel}.updated`, 'session.updated', { event_id: 'b', session: state('text_chat', 'guide') }, channel),
        come(`${channel}.done`, 'session.update.done', { request_event_id: 'b', status: 'completed' }, channel),
      ]),
    ])
    expect(reasons).toEqual([])
  },
)
