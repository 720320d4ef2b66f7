import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { endedByItself, speaksOfEnd, stateIn } from './session-end.ts'
import { indexTrace } from '../trace-index.ts'

const path = (more = ''): string => `/v1/realtime-avatar/sessions/s1${more}`
const ok = (status: string) => ({ body: { code: 0, message: 'ok', data: { session_id: 's1', status } } })
const bare = { body: { code: 0, message: 'ok', data: {} } }
const missing = { status: 404, body: { code: 20005, message: 'not found' } }

class Story {
  readonly trace = new TraceBuilder()

  constructor() {
    this.trace.rest('create-avatar-session', ok('active'), {}, 'primary')
  }

  get(answer: typeof missing | typeof bare | ReturnType<typeof ok>, key = 'primary'): this {
    this.trace.rest('get-avatar-session', answer, {}, key, path())
    return this
  }

  close(): this {
    this.trace.rest('close-avatar-session', ok('closing'), {}, 'primary', path('/close'))
    return this
  }

  /** A connection on which something is heard. */
  connection(by: 'target' | 'us', hears: 'events' | 'nothing' = 'events'): this {
    const channel = this.trace.opened('s1')
    if (hears === 'events') this.trace.received(channel, { type: 'session.updated', session: {} })
    this.trace.closed(channel, by)
    return this
  }

  ended(): boolean {
    return endedByItself(indexTrace(this.trace.end().entries), 's1')
  }
}

test.each<[what: string, story: Story, ended: boolean]>([
  ['open all the time', new Story().get(ok('active')), false],
  ['closed because we asked for it', new Story().close().get(ok('closed')), false],
  ['closed before we asked for it', new Story().get(ok('closed')).close(), true],
  ['not found any more', new Story().get(missing), true],
  ['not found by another key of its workspace', new Story().get(missing, 'same_workspace'), true],
  ['not found by another workspace, which never finds it', new Story().get(missing, 'other_workspace'), false],
  ['not heard any more, of which Get never tells how it fares', new Story().connection('target').get(bare), true],
  ['refused from then on', new Story().connection('target').connection('target', 'nothing').get(bare), true],
  ['heard again', new Story().connection('target').get(bare).connection('us'), false],
  ['left by us', new Story().connection('us').get(bare), false],
  ['never heard', new Story().connection('target', 'nothing').get(bare), false],
  ['told to go on', new Story().connection('target').get(ok('active')).get(bare), false],
])('a session that is %s', (_what, story, ended) => {
  expect(story.ended()).toBe(ended)
})

test.each([
  ['a status of a session', { status: 'closed' }, true],
  ['that of a session which goes on', { status: 'active', last: 'closed' }, false],
  ['a session under its name', { session: { status: 'closed' } }, true],
  ['a status of the request beside that of the session', { status: 'ok', session: { status: 'closed' } }, true],
  ['that of the request alone', { status: 'ok' }, false],
  [
    'a session under its name beside others that are open',
    { details: { session_id: 's1', status: 'closed' }, siblings: [{ session_id: 's2', status: 'active' }] },
    true,
  ],
  [
    'a session under its name in a workspace that is active',
    { session: { session_id: 's1', status: 'closing' }, workspace: { status: 'active' } },
    true,
  ],
  [
    'two sessions under names',
    { one: { session_id: 's1', status: 'closed' }, two: { session_id: 's2', status: 'active' } },
    false,
  ],
  ['nothing', { session_id: 's1' }, undefined],
])('Get that shows %s', (_what, data, over) => {
  expect(speaksOfEnd(data)).toBe(over)
})

test.each([
  ['its status', { status: 'closing', last: 'closed' }, 'closing'],
  [
    'the status of the request, and its own beside its id',
    { status: 'ok', session: { session_id: 's1', status: 'closed' } },
    'closed',
  ],
  [
    'a session before it',
    { session: { session_id: 's1', status: 'closing' }, previous: { session_id: 's0', status: 'closed' } },
    'closing',
  ],
  ['a session before it without ids', { session: { status: 'closing' }, previous: { status: 'closed' } }, 'closing'],
  ['one before it alone', { session: {}, previous: { session_id: 's0', status: 'closed' } }, undefined],
  ['its media, which are closed while nobody is there', { session_id: 's1', media: { state: 'closed' } }, undefined],
  [
    'a session among several',
    {
      sessions: [
        { session_id: 's0', status: 'active' },
        { session_id: 's1', status: 'failed' },
      ],
    },
    'failed',
  ],
])('Get that shows %s says of the session what it says', (_what, data, state) => {
  expect(stateIn(data, 's1')).toBe(state)
})
