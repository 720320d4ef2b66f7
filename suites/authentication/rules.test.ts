import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { rules } from './rules.ts'

const ok = (data: Json): { body: Json } => ({ body: { code: 0, message: 'ok', data } })
const session = (id: string, secret: string) =>
  ok({ session_id: id, control: { url: 'wss://x/', client_secret: secret } })

const said = (trace: TraceBuilder): ReadonlySet<string> => saidOf(rules, trace)
const secret = 'authentication.control-secret'

test('sessions with secrets of their own are fine', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('a', '[client_secret 1]'))
  trace.rest('create-avatar-session', session('b', '[client_secret 2]'))
  const all = said(trace)
  expect(all).toContain(`held ${secret}.unique-per-session`)
  expect(all).toContain(`held ${secret}.other-than-api-key`)
  expect([...all].filter((one) => one.startsWith('broken'))).toEqual([])
})

test('one session alone cannot show that secrets differ', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('a', '[client_secret 1]'))
  expect(said(trace)).not.toContain(`held ${secret}.unique-per-session`)
})

test('two sessions with one secret are a breach, whichever create made them', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('a', '[client_secret 1]'))
  trace.rest('create-session-from-character', session('b', '[client_secret 1]'))
  expect(said(trace)).toContain(`broken ${secret}.unique-per-session`)
})

test('a control secret that is the API key is a breach', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('a', '[api_key primary]'))
  expect(said(trace)).toContain(`broken ${secret}.other-than-api-key`)
})

test.each([
  ['[client_secret 1]', 'held'],
  ['[client_secret 2]', 'broken'],
])('a repeated create that shows %s', (shown, expected) => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('a', '[client_secret 1]'), { idempotency_key: 'k' })
  trace.rest('create-avatar-session', session('a', shown), { idempotency_key: 'k' })
  expect(said(trace)).toContain(`${expected} ${secret}.replay-keeps-secret`)
})

test.each([
  ['in its data', ok({ owner: '[api_key primary]' })],
  ['in its message', { status: 400, body: { code: 30004, message: 'not for [api_key primary], sorry' } }],
  ['in a URL', ok({ url: 'wss://x/?token=%5Bapi_key%20primary%5D' })],
  ['in a text', { status: 500, text: 'Authorization: Bearer [api_key primary]' }],
])('a reply that echoes the key %s is a breach', (_, response) => {
  const trace = new TraceBuilder()
  trace.rest('get-avatar-session', response)
  expect(said(trace)).toContain('broken authentication.api-key.never-echoed')
})

test.each([
  ['a media address', { type: 'session.updated', media: { url: 'https://x/?k=%5Bapi_key%20primary%5D' } }, 'broken'],
  ['the key of another workspace', { type: 'session.updated', media: { owner: '[api_key capped]' } }, 'held'],
])('an event of the control channel that echoes the key: %s', (_, event, expected) => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', session('session-a', '[client_secret 1]'))
  trace.received(trace.opened('session-a'), { event_id: 'e', ...event })
  const all = said(trace)
  expect([...all].filter((one) => one.endsWith('never-echoed'))).toContain(
    `${expected} authentication.api-key.never-echoed`,
  )
  expect(all.has('broken authentication.api-key.never-echoed')).toBe(expected === 'broken')
})

test('a refused key may be named, and another key is not the one that was sent', () => {
  const trace = new TraceBuilder()
  trace.rest('get-avatar-session', { body: { code: 10003, message: 'no [api_key primary]x' } }, {}, 'malformed')
  trace.rest('get-avatar-session', ok({ id: '[api_key capped]' }))
  const all = said(trace)
  expect(all).not.toContain('broken authentication.api-key.never-echoed')
  expect(all).toContain('saw authentication.invalid-key.http-status: 200')
})

test('in a recording a wrong key may be named in its refusal, and a saved configuration may hold the key of a provider', () => {
  const trace = new TraceBuilder({ recording: 'watch' })
  const refusal = { code: 10003, message: 'invalid api key [api_key unlisted-2]' }
  trace.rest('list-voices', { body: refusal }, {}, 'unlisted-2', '/v1/voices')
  const pipeline_config = { llm_config: { llm_api_key: '[api_key unlisted-1]' } }
  trace.rest('get-character', ok({ pipeline_config }), {}, 'unlisted-1', '/v1/characters/chr_1')
  expect(said(trace)).not.toContain('broken authentication.api-key.never-echoed')
})

test('what the target does with reads of denied keys is told', () => {
  const trace = new TraceBuilder()
  trace.rest('list-avatar-sessions', ok({}), {}, 'access_denied')
  trace.rest('list-avatar-sessions', { status: 402, body: { code: 10004, message: 'no' } }, {}, 'billing_inactive')
  trace.rest('list-avatar-sessions', { status: 401, body: { code: 10001, message: 'no' } }, {}, 'none')
  const all = said(trace)
  expect(all).toContain('saw authentication.access.denied-key-reads: list-avatar-sessions: admitted')
  expect(all).toContain('saw authentication.billing.reads: billing_inactive, list-avatar-sessions: 10004')
  expect(all).toContain('saw authentication.missing-key.http-status: 401')
})

test.each([
  ['Bearer [api_key 143462524597]', 'broken'],
  ['nobody', 'held'],
])('in a recording the key that no profile names is known by its stand-in: %s comes back', (shown, expected) => {
  const trace = new TraceBuilder({ recording: 'watch' })
  const authorization = 'Bearer [api_key 143462524597]'
  const asked = { operation: 'list-voices', method: 'GET', path: '/', key: 'unlisted-1', headers: { authorization } }
  trace.add({ kind: 'request', exchange: 1, attempt: 1, ...asked, t: 1 })
  const answer = { status: 200, headers: {}, bytes: 10, ...ok({ asked_with: shown }) }
  trace.add({ kind: 'response', exchange: 1, attempt: 1, ...answer, t: 2 })
  expect(said(trace)).toContain(`${expected} authentication.api-key.never-echoed`)
})
