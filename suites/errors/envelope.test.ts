import { describe, expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { saidOf } from '#testing/said-of'
import { choices } from './choices.rules.ts'
import { envelope } from './envelope.rules.ts'
import { naming, namingOfEvents, results } from './naming.rules.ts'

const part = 'errors.envelope'
const list = 'list-avatar-sessions'
const create = 'create-avatar-session'

type Response = Parameters<TraceBuilder['rest']>[1]

function seen(response: Response, operation = list, sent: Json = {}): ReadonlySet<string> {
  const trace = new TraceBuilder()
  trace.rest(operation, response, sent)
  return saidOf([envelope, naming, results, choices], trace)
}

const body = (json: Json, status = 200) => ({ status, body: json })

describe('the envelope', () => {
  test.each<[string, Response, string, 'held' | 'broken']>([
    ['an object', body({ code: 0, message: '', data: null }), 'json-object', 'held'],
    ['an array', body([]), 'json-object', 'broken'],
    ['a list in a 404', body([], 404), 'json-object', 'broken'],
    ['an empty 202', { status: 202 }, 'json-object', 'broken'],
    ['an integer', body({ code: 20005, message: 'no' }), 'code-integer', 'held'],
    ['an integer in a string', body({ code: '0', message: 'ok', data: {} }), 'code-integer', 'broken'],
    ['no code', body({ message: 'ok', data: {} }), 'code-integer', 'broken'],
    ['a message', body({ code: 0, message: '', data: {} }), 'message-string', 'held'],
    ['a message that is null', body({ code: 0, message: null, data: {} }), 'message-string', 'broken'],
    ['data that is null', body({ code: 0, message: '', data: null }), 'data-on-success', 'held'],
    ['no data', body({ code: 0, message: '' }), 'data-on-success', 'broken'],
    ['a failure in an envelope', body({ code: 20005, message: 'no' }, 404), 'failures-wrapped', 'held'],
    ['a failure in another form', body({ data: {}, error: 'no' }, 404), 'failures-wrapped', 'broken'],
    ['words', body({ code: 20005, message: 'not found' }), 'message-describes-failure', 'held'],
    ['blank words', body({ code: 20005, message: ' ' }), 'message-describes-failure', 'broken'],
    ['words of a success', body({ code: 20005, message: 'Success.' }), 'message-describes-failure', 'broken'],
    ['a number', body({ code: 20005, message: '20005' }), 'message-describes-failure', 'broken'],
    ['no success', body({ code: 20005, message: 'no success' }), 'message-describes-failure', 'held'],
    ['a quote of what was stored', body({ code: 30001, message: 'no: 「あなたは」' }), 'message-english', 'held'],
    ['English', body({ code: 20005, message: 'not found' }), 'message-english', 'held'],
    ['Chinese', body({ code: 20005, message: '未找到会话' }), 'message-english', 'broken'],
  ])('%s', (_, response, row, verdict) => {
    const all = seen(response)
    expect(all).toContain(`${verdict} ${part}.${row}`)
    expect(all).not.toContain(`${verdict === 'held' ? 'broken' : 'held'} ${part}.${row}`)
  })

  test('a failure needs no data', () => {
    expect([...seen(body({ code: 20005, message: 'no' }, 404))].filter((one) => one.startsWith('broken'))).toEqual([])
  })

  test('a message may quote what was sent in any language', () => {
    const sent = { avatars: [{ avatar_id: 'アバターさん' }] }
    const all = seen(body({ code: 30004, message: 'bad: アバターさん' }, 400), create, sent)
    expect(all).toContain(`held ${part}.message-english`)
    expect(all).not.toContain(`broken ${part}.message-english`)
  })

  test.each<[string, Response]>([
    ['a page of a proxy', { status: 502, text: '<html>Bad Gateway</html>' }],
    ['a plain 404', { status: 404, text: 'page not found' }],
    ['a gateway’s JSON', body({ message: 'Too many requests' }, 429)],
    ['a gateway’s JSON in a 404', body({ message: 'no Route matched with those values' }, 404)],
    ['a bare 503', { status: 503, text: 'upstream connect error' }],
    ['a redirect', { status: 302, text: 'Found' }],
    ['a broken connection', 'reset'],
  ])('%s is not the target’s answer', (_, response) => {
    expect([...seen(response)].filter((one) => one.includes(part))).toEqual([])
  })

  test('what nests deeper than we read is not judged', () => {
    const deep: Response = { status: 200, problem: 'too-deep', text: '[[' }
    expect([...seen(deep)].filter((one) => one.startsWith('broken'))).toEqual([])
  })

  test('requests outside the interface prove nothing', () => {
    const trace = new TraceBuilder()
    trace.add({
      kind: 'request',
      t: 1,
      exchange: 1,
      attempt: 1,
      operation: null,
      method: 'GET',
      path: '/x',
      key: 'primary',
      headers: {},
    })
    trace.add({ kind: 'response', t: 2, exchange: 1, attempt: 1, status: 404, headers: {}, bytes: 0 })
    expect(saidOf([envelope, naming], trace).size).toBe(0)
  })

  test('a request that is answered by a bare 5xx for half a minute while others are answered is a fault of the target', () => {
    const trace = new TraceBuilder()
    for (const idempotency_key of ['a', 'b', 'c']) {
      trace.rest(list, body({ code: 0, message: '', data: {} }))
      trace.rest(create, { status: 500, text: 'Internal Server Error' }, { model: 'x', idempotency_key })
      expect(saidOf([envelope], trace)).not.toContain(`broken ${part}.failures-wrapped`)
      trace.pass(14_000)
    }
    trace.pass(2_000).rest(create, { status: 500, text: 'Internal Server Error' }, { model: 'x' })
    expect(saidOf([envelope], trace)).toContain(`broken ${part}.failures-wrapped`)
  })

  test('a bare 5xx now and then is a transport failure', () => {
    const trace = new TraceBuilder()
    trace.rest(list, body({ code: 0, message: '', data: {} }))
    trace.rest(create, { status: 500, text: 'x' }, { model: 'x' })
    trace.rest(create, { status: 500, text: 'x' }, { model: 'x' })
    trace.rest(create, body({ code: 30004, message: 'no' }, 400), { model: 'x' })
    trace.rest(list, body({ code: 0, message: '', data: {} }))
    expect(saidOf([envelope], trace)).not.toContain(`broken ${part}.failures-wrapped`)
  })
})

test.each<[string, Json, 'held' | 'broken']>([
  ['snake_case', { type: 'session.updated', event_id: 'e', session: { active_avatar_id: 'a' } }, 'held'],
  ['a word of the interface in camel case', { type: 'session.updated', eventId: 'e' }, 'broken'],
  ['a word of nobody', { type: 'x', event_id: 'e', traceparent: { someId: 1 } }, 'held'],
])('names in events: %s', (_, event, verdict) => {
  const trace = new TraceBuilder()
  trace.received(1, event)
  expect([...saidOf([namingOfEvents], trace)]).toEqual([`${verdict} errors.channel.snake-case-names`])
})

describe('names that a client sent', () => {
  const stored = { character_id: 'chr_1', avatars: [{ avatar_id: 'a', avatarId: 'a', displayName: 'Ada' }] }
  const row = `${part}.snake-case-names`

  test.each<[string, string, Json]>([
    ['in a session', create, { avatars: [{ avatar_id: 'a', displayName: 'Ada' }] }],
    ['in a character', 'create-character', stored],
  ])('may come back %s', (_, operation, sent) => {
    expect(seen(body({ code: 0, message: '', data: sent }), operation, sent)).toContain(`held ${row}`)
    expect(seen(body({ code: 0, message: '', data: { ...stored, SessionId: 1 } }), operation, sent)).toContain(
      `broken ${row}`,
    )
  })

  test('may come back in an item', () => {
    const trace = new TraceBuilder()
    trace.sent(1, { type: 'conversation.item.create', item: { type: 'message', callId: 'x' } })
    trace.received(1, { type: 'conversation.item.created', event_id: 'e', item: { type: 'message', callId: 'x' } })
    expect([...saidOf([namingOfEvents], trace)]).toEqual(['held errors.channel.snake-case-names'])
  })

  test('may have come before a recording began', () => {
    for (const [recording, verdict] of [['watch', 'held'] as const, [undefined, 'broken'] as const]) {
      const trace = new TraceBuilder(recording === undefined ? {} : { recording })
      trace.rest('get-character', body({ code: 0, message: '', data: stored }))
      trace.rest(create, body({ code: 0, message: '', data: stored }), { idempotency_key: 'again' })
      expect([...saidOf([naming], trace)]).toEqual([`${verdict} ${row}`])
    }
  })
})

describe('names and places', () => {
  test.each<[string, string, Json, 'held' | 'broken']>([
    ['snake_case', list, { sessions: [{ session_id: 'a', extra_field: 1 }] }, 'held'],
    ['a word of the interface in camel case', list, { sessions: [{ sessionId: 'a' }] }, 'broken'],
    ['in Pascal case', list, { sessions: [{ SessionId: 'a' }] }, 'broken'],
    ['in kebab-case', list, { sessions: [{ 'session-id': 'a' }] }, 'broken'],
    ['a foreign word in camel case', list, { sessions: [{ traceId: 'a' }] }, 'held'],
    ['the same in a session', create, { traceId: 'a' }, 'broken'],
    ['a schema of the caller', create, { conversation: { tools: [{ parameters: { avatarId: {} } }] } }, 'held'],
  ])('%s', (_, operation, data, verdict) => {
    expect(seen(body({ code: 0, message: '', data }), operation)).toContain(`${verdict} ${part}.snake-case-names`)
  })

  const session = { session_id: 'a', control: { url: 'wss://x' } }
  test.each<[string, Json, string, 'held' | 'broken']>([
    ['fields inside data', { code: 0, message: '', data: session }, 'fields-inside-data', 'held'],
    ['fields beside data', { code: 0, message: '', data: {}, ...session }, 'fields-inside-data', 'broken'],
    ['code 0 with a session', { code: 0, message: '', data: session }, 'code-zero-on-success', 'held'],
    ['another code with a session', { code: 200, message: '', data: session }, 'code-zero-on-success', 'broken'],
  ])('%s', (_, json, row, verdict) => {
    expect(seen(body(json), create)).toContain(`${verdict} ${part}.${row}`)
  })

  test('a failure has no result, whatever stands beside its data', () => {
    const failure = { code: 30004, message: 'no', data: null, session_id: 'none' }
    expect(seen(body(failure), create)).not.toContain(`broken ${part}.fields-inside-data`)
  })
})

describe('what is left open is told', () => {
  test.each<[string, Response, string]>([
    ['the status of a success', body({ code: 0, message: 'ok', data: {} }, 201), 'errors.status.success: 201'],
    ['that of a listed code', body({ code: 20005, message: 'no' }, 410), 'errors.status.code-20005: 410'],
    ['that of another code', body({ code: 50100, message: 'no' }, 501), 'errors.status.others: 50100: 501'],
    ['a code of its own', body({ code: 50100, message: 'no' }), 'errors.code.unlisted: 50100'],
    ['data of a failure', body({ code: 20005, message: 'no', data: [] }), 'errors.envelope.data-on-failure: an array'],
    ['more members', body({ code: 0, message: '', data: {}, took_ms: 1 }), 'errors.envelope.extra-members: took_ms'],
    [
      'integers as text',
      body({ code: 0, message: '', data: { fps: '24' } }),
      'errors.envelope.integers-as-strings: fps',
    ],
    ['names of codes', body({ code: 20005, message: 'not found: x' }), 'errors.code.message-text: repeats the name'],
  ])('%s', (_, response, what) => {
    expect(seen(response)).toContain(`saw ${what}`)
  })

  test('a status that section 7 states is no choice', () => {
    expect([...seen(body({ code: 10008, message: 'no' }, 429))].filter((one) => one.includes('errors.status'))).toEqual(
      [],
    )
  })
})
