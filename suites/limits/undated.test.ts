import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { pauses } from './pause.rules.ts'

const truthful = 'errors.code-10008.retry-after-truthful'
const recovers = 'limits.api-key-rate.recovers'
const limit = 10
const profile = {
  base_url: 'https://target.example',
  keys: { primary: 'KEY' },
  limits: { rate_limited: { requests_per_minute: limit } },
}

const story = () => new TraceBuilder({ profile })

function admitted(trace: TraceBuilder, count = 1): void {
  for (let place = 0; place < count; place += 1) {
    trace.rest('list-avatar-sessions', { body: { code: 0, message: '', data: {} } }, {}, 'rate_limited')
  }
}

/** A refusal that names a date, and has no `Date` unless one is told. */
function refused(trace: TraceBuilder, until: string, date?: string): void {
  const headers = { 'retry-after': until, ...(date === undefined ? {} : { date }) }
  trace.rest('list-avatar-sessions', { status: 429, headers, body: { code: 10008, message: 'no' } }, {}, 'rate_limited')
}

test('a date without a date of the answer counts by our clock', () => {
  const trace = story()
  refused(trace, 'Thu, 15 Jan 2026 12:00:05 GMT')
  trace.pass(6_100)
  admitted(trace)
  expect(saidOf([pauses], trace)).toContain(`held ${truthful}`)
})

test('where the clocks can’t agree, it stays open without a word against the service', () => {
  const trace = story()
  refused(trace, 'Thu, 15 Jan 2026 12:05:00 GMT')
  trace.pass(6_100)
  admitted(trace)
  expect([...saidOf([pauses], trace)]).toEqual([`held ${recovers}`, `unobserved ${truthful}`])
})

test('it is never called a lie', () => {
  const trace = story()
  for (let time = 0; time < 2; time += 1) {
    admitted(trace, limit)
    for (let round = 0; round < 4; round += 1) {
      refused(trace, 'Thu, 15 Jan 2026 11:59:00 GMT')
      trace.pass(2_100)
    }
    trace.pass(130_000)
  }
  expect(saidOf([pauses], trace)).not.toContain(`broken ${truthful}`)
})

test.each([
  ['a clock that is ahead of ours', 'Thu, 15 Jan 2026 12:20:00 GMT', false],
  ['the clock that we have', 'Thu, 15 Jan 2026 11:50:00 GMT', true],
])('a date that is over by %s', (_, date, isLie) => {
  const trace = story()
  for (let time = 0; time < 2; time += 1) {
    admitted(trace, limit)
    for (let round = 0; round < 5; round += 1) {
      const until = isLie ? date : 'Thu, 15 Jan 2026 12:10:00 GMT'
      refused(trace, until, date)
      trace.pass(2_100)
    }
    trace.pass(130_000)
  }
  expect([...saidOf([pauses], trace)].includes(`broken ${truthful}`)).toBe(isLie)
})
