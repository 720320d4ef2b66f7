import { expect, test } from 'vitest'
import type { Breach, Report } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { sessionLife } from './property.rules.ts'
import { propertyIds } from './moves.ts'

type BuiltReply = Parameters<TraceBuilder['rest']>[1]
type Reply = Exclude<BuiltReply, string>

const ok = (data: Json): Reply => ({ body: { code: 0, message: 'ok', data } })
const no = (code: number, status = 404): Reply => ({ status, body: { code, message: 'no' } })
const path = (id: string, more = '') => `/v1/realtime-avatar/sessions/${id}${more}`

/** After so long reads show what was written (`timeouts.lag_ms`). */
const lag_ms = 2_000

/** What a walk did, in words. What it reads, it reads late enough, unless it is told to hurry. */
class Story {
  readonly trace = new TraceBuilder()
  #pause = lag_ms

  hurry(): this {
    this.#pause = 0
    return this
  }

  calm(): this {
    this.#pause = lag_ms
    return this
  }

  create(key: string, answer: string | Reply): this {
    const said = typeof answer === 'string' ? ok({ session_id: answer }) : answer
    this.trace.rest('create-avatar-session', said, { idempotency_key: key, max_duration_seconds: 900 }, 'primary')
    return this
  }

  /** A create that was sent and never answered. */
  lost(key: string): this {
    this.trace.rest('create-avatar-session', 'timeout', { idempotency_key: key }, 'primary')
    return this
  }

  get(id: string, status: string | Reply): this {
    const said = typeof status === 'string' ? ok({ session_id: id, status }) : status
    this.trace.pass(this.#pause).rest('get-avatar-session', said, {}, 'primary', path(id))
    return this
  }

  close(id: string, answer: BuiltReply = ok({})): this {
    this.trace.rest('close-avatar-session', answer, {}, 'primary', path(id, '/close'))
    return this
  }

  list(...ids: readonly string[]): this {
    const sessions = ids.map((session_id) => ({ session_id }))
    this.trace.pass(this.#pause).rest('list-avatar-sessions', ok({ sessions }), {}, 'primary', path(''))
    return this
  }

  /** Sends all at once and has them answered afterwards. */
  race(key: string, ...ids: readonly string[]): this {
    const before = this.trace.entries.length
    for (const id of ids) this.create(key, id)
    const added = this.trace.entries.splice(before)
    const isRequest = ({ kind }: { readonly kind: string }) => kind === 'request'
    this.trace.entries.push(...added.filter(isRequest), ...added.filter((entry) => !isRequest(entry)))
    return this
  }

  judged(scenario: string = propertyIds[0]) {
    const rows = { held: new Set<string>(), broken: new Map<string, Breach>() }
    const report: Report = {
      held: (row) => void rows.held.add(row),
      broken: (row, breach) => void rows.broken.set(row, breach),
      unobserved: () => {},
      saw: () => {},
    }
    const entries = this.trace.entries.map((entry) => (entry.kind === 'header' ? entry : { ...entry, scenario }))
    sessionLife.judge(indexTrace(entries), report)
    return rows
  }

  broken(): readonly string[] {
    return [...this.judged().broken.keys()].map((row) => row.replace('avatar-sessions.', '')).toSorted()
  }
}

const story = () => new Story()

test('a life as 3.1 tells it breaks nothing and bears out what it shows', () => {
  const walk = story().create('k1', 's1').get('s1', 'active').create('k1', 's1').create('k2', 's2').list('s1', 's2')
  walk.close('s1').get('s2', 'active').get('s1', 'closing').get('s1', 'closed').get('s1', 'closed').list('s2')
  const { held, broken } = walk.get('s0', no(20005)).close('s0', no(20005)).judged()
  expect([...broken.keys()]).toEqual([])
  expect([...held].map((row) => row.replace('avatar-sessions.', '')).toSorted()).toMatchInlineSnapshot(`
    [
      "close.accepted",
      "close.closed-is-final",
      "close.leaves-active",
      "close.leaves-others-open",
      "close.never-active-again",
      "close.reaches-closed",
      "close.unknown-session-rejected",
      "get.open-session-not-closed",
      "get.own-session-found",
      "get.unknown-session-rejected",
      "idempotency.other-key-other-session",
      "idempotency.retry-same-session",
      "list.hides-closed-sessions",
      "list.shows-open-sessions",
    ]
  `)
})

test('what other scenarios do is not looked at', () => {
  const { held, broken } = story().create('k', 's1').close('s1').get('s1', 'active').judged('avatar-sessions.other')
  expect([held.size, broken.size]).toEqual([0, 0])
})

test.each<[string, Story, readonly string[]]>([
  [
    'a second session for a key',
    story().create('k', 's1').create('k', 's2').get('s1', 'active'),
    ['idempotency.retry-same-session'],
  ],
  [
    'a second session after an answer that was lost',
    story().lost('k').create('k', 's1').create('k', 's2').get('s1', 'active'),
    ['idempotency.after-timeout-one-session', 'idempotency.retry-same-session'],
  ],
  [
    'a second session after a fault',
    story().create('k', no(50000, 500)).create('k', 's1').create('k', 's2').get('s1', 'active'),
    ['idempotency.after-5xx-one-session', 'idempotency.retry-same-session'],
  ],
  ['two sessions from a race', story().race('k', 's1', 's1', 's2'), ['idempotency.concurrent-one-session']],
  ['one session for two keys', story().create('k1', 's1').create('k2', 's1'), ['idempotency.other-key-other-session']],
  ['an id that comes again', story().create('k1', 's1').close('s1').create('k2', 's1'), ['session.id-unique']],
  ['a close without effect', story().create('k', 's1').close('s1').get('s1', 'active'), ['close.leaves-active']],
  [
    'a way back',
    story().create('k', 's1').close('s1').get('s1', 'closing').get('s1', 'active'),
    ['close.never-active-again'],
  ],
  [
    'an end that is none',
    story().create('k', 's1').close('s1').get('s1', 'closed').get('s1', 'failed'),
    ['close.closed-is-final'],
  ],
  [
    'a session that is forgotten before it is closed',
    story().create('k', 's1').get('s1', 'active').hurry().close('s1').get('s1', no(20005)),
    ['close.closed-shown-by-get'],
  ],
  [
    'a session not found, and then active',
    story().create('k', 's1').get('s1', no(20005)).get('s1', 'active'),
    ['get.own-session-found'],
  ],
  [
    'an open session shown as closed',
    story().create('k', 's1').get('s1', 'closed').get('s1', 'active'),
    ['get.open-session-not-closed'],
  ],
  [
    'an open session that a list lacks',
    story().create('k1', 's1').create('k2', 's2').list('s2').get('s1', 'active'),
    ['list.shows-open-sessions'],
  ],
  [
    'a closed session in a list',
    story().create('k', 's1').close('s1').get('s1', 'closed').list('s1'),
    ['list.hides-closed-sessions'],
  ],
  [
    'a refused close of an open session',
    story().create('k', 's1').close('s1', no(10009)).get('s1', 'active'),
    ['close.accepted'],
  ],
  ['a status of its own', story().create('k', 's1').get('s1', 'resting'), ['status.in-set-on-get']],
  [
    'success for an id that nobody issued',
    story().create('k', 's1').get('s0', 'active'),
    ['get.unknown-session-rejected'],
  ],
])('%s is found', (_, walk, rows) => {
  expect(walk.broken()).toEqual(rows)
})

test('a card tells what was believed, what came, what would have been legal, and no line too many', () => {
  const walk = story().create('k1', 's1').create('k2', 's2').get('s1', 'active').list('s1', 's2').close('s1')
  const { broken } = walk.get('s2', 'active').get('s1', 'active').judged()
  expect(broken.get('avatar-sessions.close.leaves-active')).toEqual({
    expected: 'Get of s1 to give status closing or status closed or status failed or not found',
    got: 'status active, while s1 was closing or closed or failed: so said lines 10, 11',
    lines: [2, 3, 10, 11, 14, 15],
    scenario: propertyIds[0],
  })
})

test('one session may end while another is closed: services close sessions for their own reasons', () => {
  const walk = story().create('k1', 's1').create('k2', 's2').list('s1', 's2').close('s1').get('s2', 'closing')
  expect(walk.broken()).toEqual([])
})

const three = () => story().create('k1', 's1').create('k2', 's2').create('k3', 's3').list('s1', 's2', 's3')

test('all may end at the same moment: services close sessions for maintenance', () => {
  expect(three().close('s1').get('s2', 'closing').get('s3', no(20005)).broken()).toEqual([])
})

test('two that end with others, one after the other, are no accident', () => {
  const walk = three().close('s1').get('s2', 'closing').get('s3', 'active').create('k4', 's4').close('s4')
  expect(walk.get('s3', no(20005)).broken()).toEqual(['close.leaves-others-open'])
})

test('two ends that the service told of are true', () => {
  const ended = (told: boolean) => {
    const walk = story().create('k1', 's1').create('k2', 's2')
    for (const id of ['s1', 's2']) {
      walk.get(id, 'active')
      const channel = walk.trace.opened(id)
      if (told) walk.trace.received(channel, { type: 'session.closed', session_id: id, reason: 'failure' })
      walk.get(id, 'failed')
    }
    return walk.broken()
  }
  expect(ended(true)).toEqual([])
  expect(ended(false)).toEqual(['get.open-session-not-closed'])
})

test('timers may end any number of sessions', () => {
  const walk = story().create('k1', 's1').create('k2', 's2').create('k3', 's3').list('s1', 's2', 's3').close('s1')
  walk.trace.pass(61_000)
  expect(walk.get('s2', 'closed').get('s3', 'closed').broken()).toEqual([])
})

test('a session that still closes when patience is over is not closed', () => {
  const walk = story().create('k1', 's1').close('s1').get('s1', 'closing')
  expect(walk.broken()).toEqual([])
  walk.trace.pass(60_000)
  expect(walk.get('s1', 'closing').broken()).toEqual(['close.reaches-closed'])
})

test.each<[string, Story]>([
  [
    'limits and faults',
    story()
      .create('k', no(10008, 429))
      .create('k', no(30006, 429))
      .create('k', no(1, 503))
      .create('k', 's1')
      .get('s1', no(10008, 429)),
  ],
  [
    'a payload that shows nothing',
    story().create('k', 's1').get('s1', ok({})).close('s1').get('s1', ok({})).list().create('k', 's1'),
  ],
  [
    'a key that is free again',
    story().create('k', 's1').close('s1').create('k', 's2').get('s1', 'closing').get('s2', 'active'),
  ],
  [
    'a close whose answer was lost',
    story().create('k', 's1').close('s1', 'reset').get('s1', 'active').get('s1', 'closing').close('s1', no(20005)),
  ],
  ['a race with losers', story().race('k', 's1', 's1').create('k', no(30004, 409)).get('s1', 'active')],
  ['a list that may be paged', pagedStory()],
])('%s speak against nobody', (_, walk) => {
  expect(walk.broken()).toEqual([])
})

function pagedStory(): Story {
  const walk = story().create('k1', 's1').create('k2', 's2')
  walk.trace.rest('list-avatar-sessions', ok({ items: ['s2'], next_page_token: 'x' }), {}, 'primary', path(''))
  return walk.get('s1', 'active')
}

test.each<[string, Story]>([
  ['a list without what was just made', story().hurry().create('k1', 's1').create('k2', 's2').list('s1')],
  ['a list with what has just closed', story().create('k1', 's1').close('s1').get('s1', 'closed').hurry().list('s1')],
  ['active after a close', story().create('k1', 's1').hurry().close('s1').get('s1', 'active').get('s1', 'closing')],
  [
    'states of two copies in turn',
    story().create('k1', 's1').hurry().close('s1').get('s1', 'closing').get('s1', 'active').get('s1', 'closed'),
  ],
  ['active after not found', story().create('k1', 's1').hurry().get('s1', no(20005)).get('s1', 'active')],
  ['active after a list without it', story().create('k1', 's1').list('s1').hurry().list().get('s1', 'active')],
  ['closing after closed', story().create('k1', 's1').close('s1').get('s1', 'closed').hurry().get('s1', 'closing')],
])('a copy that is behind may show %s', (_, walk) => {
  expect(walk.broken()).toEqual([])
})

test('what still shows after the lag is no copy that is behind', () => {
  const walk = story().create('k1', 's1').hurry().close('s1').get('s1', 'active').calm().get('s1', 'active')
  expect(walk.broken()).toEqual(['close.leaves-active'])
})
