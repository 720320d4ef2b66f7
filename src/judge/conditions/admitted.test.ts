import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { judgeAdmitted } from './channel-conditions.ts'

const path = '/v1/realtime-avatar/sessions/session-a'

/** Get tells of an end for which nobody has asked. */
function over(trace: TraceBuilder): void {
  const body = { code: 0, message: 'ok', data: { session_id: 'session-a', status: 'closed' } }
  trace.rest('get-avatar-session', { body }, {}, 'primary', path)
}

test.each<[what: string, status: number, ended: boolean, state: string, eachTime: boolean]>([
  ['a refusal by an open session', 401, false, 'broken', false],
  ['a session that ended by itself may have done so by accident', 401, true, 'unobserved', true],
  ['a refusal on the way is the fault of neither', 503, true, 'unobserved', false],
])('%s', (_, status, ended, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.refused(status)
  if (ended) over(trace)
  const outcome = judgeAdmitted(indexTrace(trace.end().entries), channel)
  expect([outcome.state, 'eachTime' in outcome]).toEqual([state, eachTime])
})

test('an end that was told before comes of nothing that is done then', () => {
  const trace = new TraceBuilder()
  const before = trace.opened('session-a')
  trace.received(before, { type: 'session.closed', event_id: 'e1', session_id: 'session-a', reason: 'maintenance' })
  const channel = trace.refused(410)
  const outcome = judgeAdmitted(indexTrace(trace.end().entries), channel)
  expect([outcome.state, 'eachTime' in outcome]).toEqual(['unobserved', false])
})
