import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { sessionDelivery } from './delivery.rules.ts'
import { updatedMedia } from './updated-media.rules.ts'

const row = 'avatar-sessions.delivery.variant-matches-transport'
const details = { room_id: 'r' }

/** What is said of an update that tells this of its media. */
function told(shown: JsonObject): readonly string[] {
  const trace = new TraceBuilder()
  trace.created()
  trace.received(trace.opened(), { type: 'session.updated', event_id: 'e', session: {}, ...shown })
  return [...saidOf([updatedMedia], trace)]
}

test.each<[string, JsonObject]>([
  ['no media', {}],
  ['the name alone', { media_transport: 'rtc_b' }],
  ['details of the named one', { media_transport: 'rtc_a', media: { transport: 'rtc_a', rtc_a: details } }],
  ['details that say themselves whose they are', { media: { transport: 'rtc_b', rtc_b: details } }],
  ['details of another form', { media_transport: 'rtc_b', media: { room_id: 'r' } }],
  ['a name of another kind', { media_transport: 'webrtc', media: { rtc_a: details } }],
])('%s may be told', (_, shown) => {
  expect(told(shown)).toEqual([])
})

test.each<[string, JsonObject]>([
  ['beside the event', { media_transport: 'rtc_b', media: { transport: 'rtc_a', rtc_a: details } }],
  ['inside the media', { media_transport: 'rtc_a', media: { transport: 'rtc_b', rtc_a: details } }],
])('details of one transport stand beside no other, named %s', (_, shown) => {
  expect(told(shown)).toEqual([`broken ${row}`])
})

test('a text chat from a character has neither output nor delivery', () => {
  const trace = new TraceBuilder()
  const data = { session_id: 's', session: { mode: 'text_chat', active_avatar_id: 'ada' }, output: {} }
  trace.rest('create-session-from-character', { body: { code: 0, message: 'ok', data } }, { character_id: 'chr_1' })
  const said = saidOf([sessionDelivery], trace)
  expect(said).toContain('broken avatar-sessions.output.absent-in-text-chat')
  expect(said).toContain('held avatar-sessions.delivery.absent-in-text-chat')
})
