import { expect, test } from 'vitest'
import { createdSession } from '#testing/created-session'
import {
  always,
  answered,
  bodies,
  drop,
  having,
  holding,
  idOf,
  judgedCreates,
  lacking,
  runCreates,
  set,
  type Turn,
} from '#testing/creates'
import { TraceBuilder } from '#testing/trace-builder'
import { any, rejected } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { changed } from '../change.ts'
import { createRules } from './rules.ts'

const { text, rich, video } = bodies
const wrong = (data: JsonObject): JsonObject => changed(data, { set: { '/model': 'another', '/status': 'odd' } })

test('right answers break nothing and bear every row out', () => {
  const said = runCreates()
  expect([...said.broken]).toEqual([])
  const rows = createRules.flatMap(({ proves }) => proves).map((row) => row.replace('avatar-sessions.', ''))
  expect([...new Set(rows)].filter((row) => !said.held.has(row))).toEqual(['create.refused-leaves-no-session'])
})

test.each<[string, Turn]>([
  ['integers as text', holding('"nowhere-9"', set('/auto_close/disconnected_timeout_seconds', '10'))],
  ['more fields', always(set('/created_at', '2026-01-15T12:00:00Z'))],
  ['no expiry', always(drop('/expires_at'))],
  ['another of the four states', always(set('/status', 'closing'))],
  ['a region of its own', holding('"region":""', set('/region', 'eu-2'))],
  ['conversation defaults filled in', holding('"conversation":{}', set('/conversation/tools', []))],
  ['a frame rate as text', having('delivery', set('/output/fps', '24'))],
  [
    'an image at another place',
    having('output', set('/avatars/0/visual/source_images/0/url', 'https://cdn.example/x')),
  ],
  ['a language without its region', holding('"en-US"', set('/conversation/input_audio_transcription/language', 'en'))],
  ['assets that nobody sent', lacking('assets', set('/assets', { audio: [] }))],
  ['the avatars in another order', (data) => ({ ...data, avatars: (data['avatars'] as JsonObject[]).toReversed() })],
  [
    'a control URL with more in it',
    (data) => {
      const url = `wss://eu.target.example/v1/realtime-avatar/control?v=1&session_id=${idOf(data)}`
      return changed(data, set('/control/url', url))
    },
  ],
])('%s break nothing', (_, turn) => {
  expect([...runCreates(turn).broken]).toEqual([])
})

test('a create that should have been refused is not judged by what it answers', () => {
  const trace = new TraceBuilder()
  const positiveControl = answered(trace, text, createdSession(text, 1))
  trace.claim(
    'avatar-sessions.create.model-unknown-rejected',
    any(rejected(99, positiveControl), rejected(3, positiveControl)),
  )
  expect(answered(trace, text, wrong(createdSession(text, 2)))).toBe(3)
  expect([...judgedCreates(trace).broken]).toEqual([])
})

test('a body that only some services take is not judged by what it answers', () => {
  const trace = new TraceBuilder()
  const odd = changed(text, set('/favourite_colour', 'green'))
  answered(trace, odd, wrong(createdSession(odd)))
  const said = judgedCreates(trace)
  expect([...said.broken]).toEqual([])
  expect(said.saw).toContain('create.unknown-fields: accepted')
})

test('only the first answer to an idempotency key is about the creation', () => {
  const trace = new TraceBuilder()
  const keyed = changed(text, set('/idempotency_key', 'k1'))
  const session = createdSession(keyed)
  answered(trace, keyed, session)
  answered(trace, changed(rich, set('/idempotency_key', 'k1')), session)
  answered(trace, keyed, changed(session, set('/status', 'odd')))
  expect([...judgedCreates(trace).broken]).toEqual([])
})

test('a create of another workspace is judged, whatever key was used elsewhere', () => {
  const trace = new TraceBuilder()
  const keyed = changed(text, set('/idempotency_key', 'k1'))
  answered(trace, keyed, createdSession(keyed))
  const other = changed(createdSession(keyed, 2), set('/model', 'another'))
  answered(trace, keyed, other, 'same_workspace')
  expect([...judgedCreates(trace).broken]).toEqual([])
  answered(trace, keyed, other, 'other_workspace')
  // A create without a scenario is one that cleanup sends again.
  for (const entry of trace.entries) Object.assign(entry, { scenario: 'scenario-a' })
  expect([...judgedCreates(trace).broken]).toContain('session.model-echoed')
})

test('empty texts may come back as none, and an empty region hints at none', () => {
  const trace = new TraceBuilder()
  const tool = { type: 'function', name: 'f' }
  const conversation = { instructions: '', tools: [{ ...tool, description: '' }] }
  const body = changed(text, { set: { '/avatars/0/instructions': '', '/conversation': conversation, '/region': '' } })
  const shown = {
    set: { '/region': 'us-east-1', '/conversation': { tools: [tool] } },
    drop: ['/avatars/0/instructions'],
  }
  answered(trace, body, changed(createdSession(body), shown))
  expect([...judgedCreates(trace).broken]).toEqual([])
})

test('a plus sign in the session_id of a control URL is one', () => {
  const trace = new TraceBuilder()
  const named = (parameter: string): void => {
    const url = `wss://target.example/v1/realtime-avatar/control?session_id=${parameter}`
    answered(trace, text, changed(createdSession(text), { set: { '/session_id': 'ab+cd/e==', '/control/url': url } }))
  }
  named('ab+cd/e==')
  expect([...judgedCreates(trace).broken]).not.toContain('control.url-session-id-value')
  named('ab-cd/e==')
  expect([...judgedCreates(trace).broken]).toContain('control.url-session-id-value')
})

test('the same session told again is no second one; another one with its id is', () => {
  const trace = new TraceBuilder()
  const session = createdSession(text)
  answered(trace, text, session)
  answered(trace, text, changed(session, set('/status', 'closing')))
  expect([...judgedCreates(trace).broken]).toEqual([])
  answered(trace, text, changed(session, set('/control/client_secret', '[client_secret 2]')))
  expect([...judgedCreates(trace).broken]).toEqual(['session.id-unique'])
})

test('a room used again after a close is a choice, and two sessions that never met show nothing', () => {
  const trace = new TraceBuilder()
  const body = changed(video, set('/auto_close', { disconnected_timeout_seconds: 0 }))
  const room = set('/delivery/media/rtc_a/room_id', 'one')
  answered(trace, body, changed(createdSession(body, 1), room))
  trace.add({
    kind: 'request',
    t: 50,
    exchange: 90,
    attempt: 1,
    operation: 'close-avatar-session',
    method: 'POST',
    path: '/v1/realtime-avatar/sessions/session-1/close',
    key: 'primary',
    headers: {},
  })
  trace.pass(100)
  answered(trace, body, changed(createdSession(body, 2), room))
  const said = judgedCreates(trace)
  expect([...said.broken]).toEqual([])
  expect(said.open).toContain('delivery.rtc-a-room-session-scoped model_choice')
})

test('a room that came back may be that of a session which had timed out', () => {
  const trace = new TraceBuilder()
  const body = changed(video, set('/max_duration_seconds', 4))
  const room = set('/delivery/media/rtc_a/room_id', 'one')
  answered(trace, body, changed(createdSession(body, 1), room))
  trace.pass(5_000)
  answered(trace, body, changed(createdSession(body, 2), room))
  expect([...judgedCreates(trace).broken]).toEqual([])
})

test('a target without TLS is reached by ws:, a target behind a path may put it before the control path', () => {
  const profile = { base_url: 'http://127.0.0.1:8080/gateway', keys: { primary: 'KEY' } }
  const trace = new TraceBuilder({ profile })
  const url = 'ws://127.0.0.1:8080/gateway/v1/realtime-avatar/control?session_id=session-1'
  answered(trace, text, changed(createdSession(text), set('/control/url', url)))
  const said = judgedCreates(trace)
  expect([...said.broken]).toEqual([])
  expect(said.open).toContain('control.url-absolute-wss model_choice')
})

test('an expiry is compared with the clock of the target where that is told', () => {
  const trace = new TraceBuilder()
  const session = changed(createdSession(text), set('/expires_at', '2026-01-15T10:00:10Z'))
  answered(trace, text, session)
  const last = trace.entries.at(-1)
  if (last?.kind !== 'response') throw new Error('no response')
  trace.entries.splice(-1, 1, { ...last, headers: { date: 'Thu, 15 Jan 2026 10:00:00 GMT' } })
  expect([...judgedCreates(trace).broken]).toEqual([])
})

test('what a target chooses is reported', () => {
  const { saw } = runCreates()
  expect([...saw]).toEqual(
    expect.arrayContaining([
      'create.initial-status: active',
      'create.region-without-hint: ',
      'create.http-status: 200',
      'create.expires-at-returned: returned',
      'create.disconnected-timeout-default: 300',
      'assets.returned-when-none-sent: omitted',
    ]),
  )
})
