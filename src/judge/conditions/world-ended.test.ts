import { expect, test } from 'vitest'
import { accepted, answer, different, value } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

const path = (more = ''): string => `/v1/streaming-world/sessions/w1${more}`
const refusedWith = { status: 404, body: { code: 20005, message: 'not found' } }
const shown = (status: string) => ({ body: { code: 0, message: 'ok', data: { session_id: 'w1', status } } })

/** What became of the claim that a request is accepted, when the next look shows this. */
function refused(operation: 'create-client-secret' | 'close-world-session', status: string, before?: string): string {
  const trace = new TraceBuilder()
  if (before !== undefined) trace.rest('close-world-session', shown(before), {}, 'primary', path('/close'))
  const exchange = trace.rest(operation, refusedWith, {}, 'primary', path('/any'))
  trace.rest('get-world-session', shown(status), {}, 'primary', path())
  trace.claim('part.a.must', accepted(exchange))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

test('a world session that failed just before gives no secrets, and is not closed', () => {
  expect(refused('create-client-secret', 'failed')).toBe('unobserved')
  expect(refused('create-client-secret', 'closed')).toBe('unobserved')
  expect(refused('close-world-session', 'failed')).toBe('unobserved')
})

test('one that goes on gives them, and one that we closed did not end by itself', () => {
  expect(refused('create-client-secret', 'active')).toBe('broken')
  expect(refused('close-world-session', 'closed')).toBe('broken')
  expect(refused('create-client-secret', 'closed', 'closing')).toBe('broken')
})

/** What became of the claim that a session goes on which another workspace asked to close, beside others of the run. */
function left(...others: readonly ('ended' | 'closed' | 'timed' | 'met')[]): string {
  const trace = new TraceBuilder()
  const made = (id: string) => ({ body: { code: 0, message: 'ok', data: { session_id: id, status: 'active' } } })
  const look = (id: string, status: string): number =>
    trace.rest('get-world-session', shown(status), {}, 'primary', path().replace('w1', id))
  others.forEach((other, place) => {
    const id = `w${place + 2}`
    const body = other === 'timed' ? { max_session_duration_seconds: 20 } : {}
    trace.rest('create-world-session', made(id), body, 'primary')
    const close = path('/close').replace('w1', id)
    if (other === 'closed') trace.rest('close-world-session', shown('closing'), {}, 'primary', close)
    if (other === 'met') trace.rest('close-world-session', refusedWith, {}, 'other_workspace', close)
    look(id, 'closed')
  })
  trace.rest('create-world-session', made('w1'), {}, 'primary')
  trace.rest('close-world-session', refusedWith, {}, 'other_workspace', path('/close'))
  const exchange = look('w1', 'closed')
  trace.claim('part.a.must', different(answer(exchange, '/data/status'), value('closed')))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  const outcome = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  return outcome !== undefined && 'eachTime' in outcome ? 'each time' : (outcome?.state ?? 'none')
}

test('a world session may have ended as another one did that nobody touched', () => {
  expect(left('ended')).toBe('unobserved')
  expect(left('closed', 'ended')).toBe('unobserved')
})

test('where no other one ended by itself, who asked for the end of this one brought it about, if it ends so each time', () => {
  expect(left()).toBe('each time')
  expect(left('closed', 'timed', 'met')).toBe('each time')
})
