import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { rules } from './rules.ts'

const row = 'versioning.rest-paths.under-v1'
const missing = { status: 404, body: { code: 20005, message: 'no such resource' } }
const success = (data: Json) => ({ body: { code: 0, message: 'success', data } })

test.each(['list-avatar-sessions', 'list-characters', 'list-voices', 'upload-audio'])(
  '%s is found or not',
  (operation) => {
    const [found, lost] = [new TraceBuilder(), new TraceBuilder()]
    found.rest(operation, success({}))
    lost.rest(operation, missing)
    expect(saidOf(rules, found)).toContain(`held ${row}`)
    expect(saidOf(rules, lost)).toContain(`broken ${row}`)
    expect(saidOf(rules, lost)).not.toContain(`held ${row}`)
  },
)

test('what may be missing by itself is not held against its path', () => {
  const trace = new TraceBuilder()
  trace.rest('get-voice', missing)
  trace.rest('list-characters', missing, {}, 'access_denied')
  trace.rest('list-characters', missing, {}, 'primary', '/v1/characters?page_token=x')
  trace.rest('list-characters', { status: 500, body: { code: 50000, message: 'internal' } })
  trace.rest('list-characters', 'timeout')
  expect([...saidOf(rules, trace)].filter((said) => said.endsWith(row))).toEqual([])
})

test('headers and fields of another version are told', () => {
  const trace = new TraceBuilder()
  const answer = success({ session_id: 's', trace_id: 't' })
  trace.rest('create-avatar-session', { ...answer, headers: { sunset: 'later', 'api-version': '2' } })
  trace.rest('create-world-session', success({ session_id: 'w', runtime: {}, usage: {} }))
  const said = saidOf(rules, trace)
  expect([...said].filter((one) => one.startsWith('saw'))).toEqual([
    'saw versioning.deprecation.headers: sunset',
    'saw versioning.negotiation.headers: api-version',
    'saw versioning.evolution.new-fields: trace_id',
    'saw versioning.deprecation.headers: none',
    'saw versioning.negotiation.headers: none',
    'saw versioning.evolution.new-fields: none',
  ])
})
