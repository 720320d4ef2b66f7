import { expect, test } from 'vitest'
import { collectFindings } from '#judge/findings'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import type { FrameReceivedEntry } from '#trace/entry'
import { frames } from './frames.rules.ts'

const part = 'control-channel.'

function judge(...received: readonly Partial<FrameReceivedEntry>[]) {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  for (const [place, frame] of received.entries()) {
    trace.add({ kind: 'frame-received', channel, frame: 100 + place, bytes: 10, t: 10 + place, ...frame })
  }
  const { rows, seen } = collectFindings(indexTrace(trace.entries), [frames], () => true)
  const broken = [...rows].filter(([, { breaches }]) => breaches.length > 0).map(([id]) => id.replace(part, ''))
  return { broken, seen: [...(seen.get(`${part}message.unknown-event-types`)?.what ?? [])] }
}

test.each<[string, Partial<FrameReceivedEntry>]>([
  ['a JSON array', { data: [] }],
  ['a JSON string', { data: 'session.updated' }],
  ['no JSON', { text: 'hello', problem: 'not-json' }],
  ['a binary frame', { text: '{}', problem: 'binary' }],
])('%s is no message of the service', (_, frame) => {
  expect(judge(frame).broken).toEqual(['message.server-json-object'])
})

test('what was nested too deeply to be read is left undecided', () => {
  expect(judge({ text: '[[', problem: 'too-deep' }).broken).toEqual([])
})

test('an event needs a type and an id, whatever its type', () => {
  const events = [{ data: { type: 'new.event', event_id: 'e' } }, { data: { event_id: 'f' } }, { data: { type: 'x' } }]
  expect(judge(events[0] ?? {})).toEqual({ broken: [], seen: ['new.event'] })
  expect(judge(events[1] ?? {}).broken).toEqual(['server-event.type-nonempty'])
  expect(judge(events[2] ?? {}).broken).toEqual(['server-event.event-id-nonempty'])
})

test('an empty id may be the echo of ours', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  trace.sent(channel, { type: 'session.update', event_id: '' })
  trace.received(channel, { type: 'session.updated', event_id: '' })
  const { rows } = collectFindings(indexTrace(trace.entries), [frames], () => true)
  expect([...rows.values()].flatMap(({ breaches }) => breaches)).toEqual([])
})
