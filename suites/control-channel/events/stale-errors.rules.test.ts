import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { staleErrors } from './stale-errors.rules.ts'

const broken = 'broken control-channel.error.event-id-names-cause'
const longMs = 60_000

const error = (about: string): Json => ({
  type: 'error',
  event_id: `e-${about}`,
  error: { message: 'no', event_id: about },
})

interface Course {
  /** How many events after the first get the error of the one before them. */
  readonly stale: number
  /** What else comes of each. */
  readonly beside?: (id: string) => Json
  readonly waits?: number
}

function said({ stale, beside, waits = longMs }: Course): ReadonlySet<string> {
  const trace = new TraceBuilder()
  trace.created()
  const channel = trace.opened()
  trace.sent(channel, { event_id: 'f0' })
  trace.received(channel, error('f0'))
  for (let place = 1; place <= stale; place += 1) {
    trace.sent(channel, { event_id: `f${place}` })
    trace.received(channel, error(`f${place - 1}`))
    if (beside !== undefined) trace.received(channel, beside(`f${place}`))
    trace.pass(waits)
  }
  trace.sent(channel, { event_id: 'last' })
  return saidOf([staleErrors], trace.closed(channel, 'us').end())
}

test('an error in place of that about the last event, which names the one before, and again, names no cause', () => {
  expect(said({ stale: 2 })).toContain(broken)
})

test('once may be chance', () => {
  expect(said({ stale: 1 })).not.toContain(broken)
})

test('whoever tells of each failure twice, and late, tells of the last one as well', () => {
  expect(said({ stale: 3, beside: error })).not.toContain(broken)
})

test('an event that is confirmed has no error to wait for', () => {
  expect(said({ stale: 3, beside: () => ({ type: 'asset.added', event_id: 'a', assets: {} }) })).not.toContain(broken)
})

test('an error that nobody waited for may have come later', () => {
  expect(said({ stale: 3, waits: 1 })).not.toContain(broken)
})
