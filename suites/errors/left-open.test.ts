import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { leftOpen } from './left-open.rules.ts'

const [any, cap] = ['errors.envelope.nonzero-code-is-failure', 'limits.concurrency.refused-create-makes-nothing']
const ghost = 'ghost-12345'
const refusal = (code: number) => ({ status: 429, body: { code, message: 'no' } })
const create = { idempotency_key: 'own', avatars: [{ avatar_id: ghost }] }
const start = { idempotency_key: 'own', character_id: 'chr_1' }

/** A session that nobody was answered with, found by Get with the avatar. */
function found(trace: TraceBuilder, key = 'primary'): readonly string[] {
  const data = { session_id: 'ses-x', avatars: [{ avatar_id: ghost }] }
  const path = '/v1/realtime-avatar/sessions/ses-x'
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, key, path)
  // Without a scenario it is cleanup that sends.
  for (const entry of trace.entries)
    if (entry.kind !== 'header') Object.assign(entry, { scenario: 'part.scenario', ...entry })
  return [...saidOf([leftOpen], trace)].toSorted()
}

function withCharacter(): TraceBuilder {
  const trace = new TraceBuilder()
  const data = { character_id: 'chr_1' }
  trace.rest('create-character', { body: { code: 0, message: 'ok', data } }, { avatars: [{ avatar_id: ghost }] })
  return trace
}

describe('a session that no create was answered with', () => {
  test.each([
    [10008, [any]],
    [30006, [any, cap]],
    [30008, [any]],
  ])('was made by the only create with its avatar, refused with %d', (code, rows) => {
    const trace = new TraceBuilder()
    trace.rest('create-avatar-session', refusal(code), create)
    expect(found(trace)).toEqual(rows.map((row) => `broken ${row}`))
  })

  test('is one of before in a recording, where an app has the same avatar in all of its sessions', () => {
    const trace = new TraceBuilder({ recording: 'watch' })
    trace.rest('create-avatar-session', refusal(30006), create)
    expect(found(trace)).toEqual([])
  })

  test('was made by the only start from the character with its avatar', () => {
    const trace = withCharacter()
    trace.rest('create-session-from-character', refusal(30006), start)
    expect(found(trace)).toEqual([`broken ${any}`, `broken ${cap}`])
  })

  test.each([10008, 30006, 30008])('may be that of a sending without an answer, tried again in vain: %d', (code) => {
    const trace = new TraceBuilder()
    trace.again(trace.rest('create-avatar-session', 'timeout', create), refusal(code))
    expect(found(trace)).toEqual([])
  })

  test('may be that of a start without an answer, tried again in vain', () => {
    const trace = withCharacter()
    trace.again(trace.rest('create-session-from-character', 'timeout', start), refusal(30006))
    expect(found(trace)).toEqual([])
  })

  test('may be that of a create without an answer from elsewhere', () => {
    const trace = new TraceBuilder()
    trace.rest('create-avatar-session', 'timeout', { ...create, idempotency_key: 'other' })
    trace.rest('create-avatar-session', refusal(30006), create)
    expect(found(trace)).toEqual([])
  })

  test('may be that of a create that failed inside the service', () => {
    const trace = new TraceBuilder()
    const mishap = { status: 500, body: { code: 50_000, message: 'oops' } }
    trace.again(trace.rest('create-avatar-session', mishap, create), refusal(30006))
    expect(found(trace)).toEqual([])
  })

  test('may be that of a create which was accepted with another answer', () => {
    const trace = new TraceBuilder()
    trace.rest('create-avatar-session', refusal(30006), create)
    trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data: { session_id: 'ses-1' } } }, create)
    expect(found(trace)).toEqual([])
  })

  test('is not that of a create in another workspace', () => {
    const trace = new TraceBuilder()
    trace.rest('create-avatar-session', refusal(30006), create, 'capped')
    expect(found(trace, 'capped')).toEqual([`broken ${any}`, `broken ${cap}`])
    const other = new TraceBuilder()
    other.rest('create-avatar-session', refusal(30006), create, 'capped')
    expect(found(other)).toEqual([])
  })
})

test('may be that of a create of a run that was killed, which cleanup sends again in vain', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', refusal(30006), create)
  const data = { session_id: 'ses-x', avatars: [{ avatar_id: ghost }] }
  const path = '/v1/realtime-avatar/sessions/ses-x'
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', path)
  expect([...saidOf([leftOpen], trace)]).toEqual([])
})
