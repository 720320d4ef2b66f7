import { expect, test } from 'vitest'
import type { Channel } from '#client/types'
import { TraceBuilder } from '#testing/trace-builder'
import type { ChannelClosedEntry } from '#trace/entry'
import { cutOffSessions } from './cut-off.ts'

function channelThat(by: ChannelClosedEntry['by'], says: readonly string[] = [], asked = false) {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const path = '/v1/realtime-avatar/sessions/session-a/close'
  if (asked) trace.rest('close-avatar-session', { body: { code: 0, message: 'ok' } }, {}, 'primary', path)
  trace.closed(channel, by)
  const frames = says.map((type, place) => ({ frame: place + 1, t: place, type, data: { type } }))
  const seen: Pick<Channel, 'channel' | 'session' | 'state' | 'frames'> = {
    channel,
    session: 'session-a',
    state: 'closed',
    frames,
  }
  return cutOffSessions(trace.entries, [seen])
}

test('a connection that the target closed without a word leaves open whether its session had ended', () => {
  expect(channelThat('target')).toEqual(['session-a'])
  expect(channelThat('target', ['session.updated'])).toEqual(['session-a'])
})

test('what was said, and what we did ourselves, leaves nothing open', () => {
  expect(channelThat('target', ['session.closed'])).toEqual([])
  expect(channelThat('us')).toEqual([])
  expect(channelThat('target', [], true)).toEqual([])
})

test('a refused upgrade leaves it open, too; one that failed on its way tells of nobody', () => {
  const refused = (status?: number) => {
    const trace = new TraceBuilder()
    const channel = trace.refused(status)
    return cutOffSessions(trace.entries, [{ channel, session: 'session-a', state: 'refused', frames: [] }])
  }
  expect(refused(404)).toEqual(['session-a'])
  expect(refused()).toEqual([])
})

test('an id that holds half a surrogate pair is looked for like any other', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const path = '/v1/realtime-avatar/sessions/session-%EF%BF%BD/close'
  trace.rest('close-avatar-session', { body: { code: 0, message: 'ok' } }, {}, 'primary', path)
  trace.closed(channel, 'target')
  const seen = { channel, session: 'session-\ud800', state: 'closed', frames: [] } as const
  expect(cutOffSessions(trace.entries, [seen])).toEqual([])
})
