import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import { any, equals, event, eventually, value } from '#trace/conditions'
import { stillPending } from './hear-late.ts'

const row = 'control-channel.item-create.confirmed'
const done = event('done')

function asked(condition: (channel: number, frame: number) => Condition, given: readonly Condition[] = []) {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'go' })
  trace.claim(row, condition(channel, frame), { given })
  return { trace, channel, left: () => Math.round(stillPending(trace.entries, channel)) }
}

const comes = (channel: number, frame: number) => eventually(channel, { frame }, done, 500)

test('what has not come is expected for twice as long as it may take', () => {
  const { trace, left } = asked(comes)
  expect(left()).toBe(999)
  trace.pass(600).mark()
  expect(left()).toBe(398)
  trace.pass(600).mark()
  expect(left()).toBe(0)
})

test('nothing is expected any more once it came', () => {
  const { trace, channel, left } = asked(comes)
  trace.received(channel, { type: 'done' })
  expect(left()).toBe(0)
})

test('nothing is expected for a claim that holds otherwise, or has nothing to judge', () => {
  const yes = equals(value(1), value(1))
  const no = equals(value(1), value(2))
  expect(asked((channel, frame) => any(comes(channel, frame), yes)).left()).toBe(0)
  expect(asked(comes, [no]).left()).toBe(0)
  expect(asked((channel, frame) => any(comes(channel, frame), no)).left()).toBe(999)
})

test('nothing is expected on another channel, nor once the session is over', () => {
  const { trace, channel, left } = asked(comes)
  expect(stillPending(trace.entries, channel + 100)).toBe(0)
  trace.received(channel, { type: 'session.closed' })
  expect(left()).toBe(0)
})
