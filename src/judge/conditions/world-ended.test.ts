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

/** What became of the claims that requests for secrets of a session each are accepted, which Get does not find afterwards. */
function gone(...sessions: readonly { readonly asked: string; readonly next: 'found' | 'missing' }[]): string {
  const trace = new TraceBuilder()
  for (const { asked, next } of sessions) {
    const at = (more = ''): string => path(more).replace('w1', asked)
    const exchange = trace.rest('create-client-secret', refusedWith, {}, 'primary', at('/client-secrets'))
    trace.rest('get-world-session', next === 'found' ? shown('active') : refusedWith, {}, 'primary', at())
    trace.claim('part.a.must', accepted(exchange))
  }
  const index = indexTrace(trace.entries)
  const outcomes = index.claims.map(({ entry }) => judgeClaim(index, entry))
  return outcomes.map((one) => ('eachTime' in one ? 'each time' : one.state)).join()
}

test('a session that is found no more may have ended by itself, but not each of them', () => {
  expect(gone({ asked: 'w1', next: 'missing' })).toBe('each time')
  expect(gone({ asked: 'w1', next: 'found' })).toBe('broken')
  expect(gone({ asked: 'w1', next: 'missing' }, { asked: 'w2', next: 'found' })).toBe('each time,broken')
})

/** What became of the claim that secrets come, when a look at once shows an open session, and one after a while this. */
function lookedTwice(second: Parameters<TraceBuilder['rest']>[1]): string {
  const trace = new TraceBuilder()
  const exchange = trace.rest('create-client-secret', refusedWith, {}, 'primary', path('/client-secrets'))
  trace.rest('get-world-session', shown('active'), {}, 'primary', path())
  trace.pass(5_000)
  trace.rest('get-world-session', second, {}, 'primary', path())
  trace.claim('part.a.must', accepted(exchange))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

test('the first look may come from a copy that is behind', () => {
  expect(lookedTwice(shown('failed'))).toBe('unobserved')
  expect(lookedTwice(refusedWith)).toBe('unobserved')
  expect(lookedTwice(shown('active'))).toBe('broken')
})

/** What became of the claim that a session goes on which another workspace asked to close, or its own one did. */
function left(by: 'other_workspace' | 'primary' | 'nobody'): string {
  const trace = new TraceBuilder()
  const answered = by === 'primary' ? shown('closing') : refusedWith
  if (by !== 'nobody') trace.rest('close-world-session', answered, {}, by, path('/close'))
  const exchange = trace.rest('get-world-session', shown('closed'), {}, 'primary', path())
  trace.claim('part.a.must', different(answer(exchange, '/data/status'), value('closed')))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  const outcome = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  return outcome !== undefined && 'eachTime' in outcome ? 'each time' : (outcome?.state ?? 'none')
}

test('who asked in vain for the end of a world session brought it about only if it ends so each time', () => {
  expect(left('other_workspace')).toBe('each time')
  expect(left('primary')).toBe('broken')
  expect(left('nobody')).toBe('broken')
})
