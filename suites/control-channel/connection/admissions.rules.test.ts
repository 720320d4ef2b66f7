import { expect, test } from 'vitest'
import type { Breach, Report } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import type { ChannelClosedEntry } from '#trace/entry'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { admissions } from './admissions.rules.ts'

const path = (more: string): string => `/v1/realtime-avatar/sessions/s1${more}`
const url = 'wss://host.example/v1/realtime-avatar/control?session_id=s1'
const ok = (data: JsonObject) => ({ body: { code: 0, message: 'ok', data } })

const own = '[client_secret 1]'

type Form = 'query' | 'header'

/** What was done with the secret of one session. */
class Story {
  readonly trace = new TraceBuilder()

  created(more: JsonObject = {}, asked: JsonObject = {}): this {
    const data = { session_id: 's1', status: 'active', control: { url, client_secret: '[client_secret 1]' }, ...more }
    this.trace.rest('create-avatar-session', ok(data), asked, 'primary')
    return this
  }

  get(status: string): this {
    this.trace.rest('get-avatar-session', ok({ session_id: 's1', status }), {}, 'primary', path(''))
    return this
  }

  close(): this {
    this.trace.rest('close-avatar-session', ok({}), {}, 'primary', path('/close'))
    return this
  }

  pass(ms: number): this {
    this.trace.pass(ms)
    return this
  }

  /** Let in and answered; stays open unless it says how it ends. */
  admitted(end?: ChannelClosedEntry['by'], code?: number, form: Form = 'query'): this {
    const channel = this.trace.opened('s1')
    this.#bear(form, own)
    this.trace.received(channel, { type: 'session.updated', event_id: `e${channel}` })
    if (end !== undefined) this.trace.closed(channel, end, code)
    return this
  }

  refused(status = 401, form: Form = 'query', secret = own): this {
    this.trace.refused(status)
    this.#bear(form, secret)
    return this
  }

  /** What the last opening bears. */
  bear(secret = own): void {
    this.#bear('query', secret)
  }

  #bear(form: Form, secret: string): void {
    const place = this.trace.entries.findLastIndex(({ kind }) => kind === 'channel-open')
    const [query, header] = [`&token=${encodeURIComponent(secret)}`, { secret }]
    const more = form === 'query' ? { url: url + query } : { url, ...header }
    Object.assign(this.trace.entries[place] ?? {}, { session: 's1', credential: form, ...more })
  }

  judged() {
    const rows = { held: new Set<string>(), broken: new Map<string, Breach>() }
    const report: Report = {
      held: (row) => void rows.held.add(row.replace('control-channel.secret.', '')),
      broken: (row, breach) => void rows.broken.set(row.replace('control-channel.secret.', ''), breach),
      unobserved: () => {},
      saw: () => {},
    }
    admissions.judge(indexTrace(this.trace.end().entries), report)
    return { held: [...rows.held], broken: [...rows.broken.keys()] }
  }
}

const story = () => new Story().created({}, { max_duration_seconds: 3_600 })

test('a secret that opens its session again and again, and nothing once it is closed', () => {
  const told = story().admitted('us', 1000).admitted('us', 1006).admitted('us', 1000, 'header').admitted().admitted()
  const { held, broken } = told.close().get('closed').refused().refused(401, 'header').judged()
  expect(broken).toEqual([])
  expect(held).toEqual([
    'valid-while-open',
    'reconnect-admitted',
    'reconnect-other-form-admitted',
    'second-connection-admitted',
    'refused-after-closed',
    'bearer-refused-after-closed',
  ])
})

test.each<[row: string, told: Story]>([
  ['valid-while-open', story().refused().get('active')],
  ['valid-while-open', cut('target').get('active')],
  ['valid-while-open', story().refused(401, 'query', '[client_secret 2]').refused().get('active')],
  ['reconnect-after-drop-admitted', story().admitted('us', 1006).pass(3_000).refused().get('active')],
  ['reconnect-other-form-admitted', story().admitted('us', 1000).pass(3_000).refused(401, 'header').get('active')],
  ['second-connection-admitted', story().admitted().refused().get('active')],
  ['refused-after-closed', story().admitted('us', 1000).close().get('closed').admitted()],
  ['bearer-refused-after-closed', story().close().get('closed').admitted(undefined, 1000, 'header')],
  ['valid-while-open', story().pass(90_000).refused().get('active')],
])('%s is broken', (row, told) => {
  expect(told.judged().broken).toEqual([row])
})

test('a secret that was used up by a connection which ended in order breaks two rows', () => {
  expect(story().admitted('us', 1000).pass(3_000).refused().get('active').judged().broken).toEqual([
    'valid-while-open',
    'reconnect-admitted',
  ])
})

test('who takes one connection at a time may learn of the end of one a moment later', () => {
  expect(story().admitted('us', 1006).refused(409).pass(3_000).admitted().get('active').judged().broken).toEqual([])
})

/** A connection that ends before anything was heard on it. */
function cut(by: ChannelClosedEntry['by']): Story {
  const told = story()
  const channel = told.trace.opened('s1')
  told.bear()
  told.trace.closed(channel, by)
  return told
}

/** Before it was ever used, a connection is ended for the sake of the next one. */
function replaced(): Story {
  const told = story()
  const older = told.trace.opened('s1')
  told.bear()
  const newer = told.trace.opened('s1')
  told.bear()
  told.trace.closed(older, 'target')
  told.trace.received(newer, { type: 'session.updated', event_id: 'e9' })
  return told
}

/** Turned away by a word that the interface does not know. */
function turnedAway(): Story {
  const told = story().admitted('us', 1000).close().get('closed')
  const channel = told.trace.opened('s1')
  told.bear()
  told.trace.received(channel, { type: 'connection.rejected', event_id: 'e9' })
  told.trace.closed(channel, 'target', 4401)
  return told
}

const timed = (seconds: number): Story =>
  new Story().created({ auto_close: { disconnected_timeout_seconds: seconds } }).pass(12_000)

test.each<[what: string, told: Story]>([
  ['a wrong secret', story().admitted('us', 1000).refused(401, 'query', '[client_secret 2]')],
  ['a session that was asked to close', story().close().refused()],
  ['a session that shows to be closing still', story().close().get('closing').admitted()],
  ['a session that a timer may have ended', timed(10).refused()],
  [
    'a session that lasts as long as was asked for',
    new Story().created({}, { max_duration_seconds: 4 }).pass(5_000).refused(),
  ],
  ['a session of which nothing is seen afterwards', story().refused()],
  ['a session of which nothing was heard for long', story().pass(90_000).refused()],
  ['a socket that is closed behind an unknown event', turnedAway()],
  ['an edge that is overloaded', story().refused(503)],
  ['a session that the service ends by itself', story().admitted('us', 1000).refused().get('closed')],
  ['a connection that the way cuts', cut('network')],
  ['a connection that a limit of ours ends', cut('limit')],
  ['an older connection that ends as a newer one comes', replaced()],
  ['a session that the service forgets', story().admitted('target').refused().get('failed')],
  ['a cleanup that failed', story().close().get('failed').admitted()],
])('%s says nothing', (_what, told) => {
  expect(told.judged().broken).toEqual([])
})

test('a repeated create may tell another secret: each of them opens the session', () => {
  const again = { control: { url, client_secret: '[client_secret 2]' } }
  expect(story().created(again).refused().get('active').judged().broken).toEqual(['valid-while-open'])
  const second = story().created(again).refused(401, 'query', '[client_secret 2]').get('active')
  expect(second.judged().broken).toEqual(['valid-while-open'])
})

test.each<[what: string, token: string, broken: string[]]>([
  ['was never issued lets nobody in', '[other_client_secret 7]', ['control-channel.admission.wrong-token-refused']],
  ['is the own one lets in', own, []],
])('a secret that %s', (_, token, broken) => {
  const told = new Story().created()
  told.trace.received(told.trace.opened('s1'), { type: 'session.updated', event_id: 'e1' })
  told.bear(token)
  expect(told.judged().broken).toEqual(broken)
})

test.each<[what: string, code: number, broken: string[]]>([
  ['a code that blames its client', 4401, []],
  ['the code of a service that goes away', 1001, ['control-channel.admission.wrong-token-refused']],
])('a connection whose secret was never issued may be turned away late, by %s', (_, code, broken) => {
  const told = new Story().created()
  const channel = told.trace.opened('s1')
  told.bear('[other_client_secret 7]')
  told.pass(12_000).trace.closed(channel, 'target', code)
  expect(told.judged().broken).toEqual(broken)
})

/** Sessions that are opened one after the other, each first refused with these statuses. */
function sessions(...statuses: readonly (readonly number[])[]) {
  const told = new Story()
  for (const [place, refusals] of statuses.entries()) {
    const from = told.trace.entries.length
    told.created()
    for (const status of refusals) told.refused(status).pass(1_000)
    told.admitted('us', 1000).pass(1_000)
    const text = JSON.stringify(told.trace.entries.splice(from)).replaceAll('"s1"', `"s${place}"`)
    const renamed = JSON.parse(text.replaceAll('session_id=s1', `session_id=s${place}`)) as typeof told.trace.entries
    told.trace.entries.push(...renamed)
  }
  return told.judged().broken
}

test.each([404, 403, 302])(
  'sessions whose first opening is refused with %s each time were not open from the beginning on',
  (status) => {
    expect(sessions([status], [status], [status], [status])).toEqual(['valid-while-open'])
    expect(sessions([status], [status], [status], [status], [])).toEqual([])
    expect(sessions([status], [status], [status])).toEqual([])
  },
)
