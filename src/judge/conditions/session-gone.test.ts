import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { type Gone, sessionGone } from './session-gone.ts'

const path = (session: string) => `/v1/realtime-avatar/sessions/${session}`
const missing = { body: { code: 20005, message: 'not found' } }
const shown = (session: string, status: string) => ({
  body: { code: 0, message: 'ok', data: { session_id: session, status } },
})

/** Looks for a session that the run made, and then goes on. */
function goneIn(
  goOn: (trace: TraceBuilder) => void = () => {},
  { key = 'primary', session = 'a' }: { readonly key?: string; readonly session?: string } = {},
): Gone | undefined {
  const trace = new TraceBuilder()
  trace.created('a')
  const looked = trace.rest('get-avatar-session', missing, {}, key, path(session))
  goOn(trace)
  const index = indexTrace(trace.entries)
  return sessionGone(index, index.exchanges.get(looked))
}

test('a session of ours that is not found may have ended by itself, once', () => {
  expect(goneIn()).toEqual({ times: 1 })
})

test('nobody else’s session was ours to be found', () => {
  expect(goneIn(undefined, { session: 'foreign' })).toBeUndefined()
  expect(goneIn(undefined, { key: 'other_workspace' })).toBeUndefined()
})

test('what is seen to be open later had not ended', () => {
  expect(
    goneIn((trace) => void trace.rest('get-avatar-session', shown('a', 'active'), {}, 'primary', path('a'))),
  ).toBeUndefined()
  expect(
    goneIn(
      (trace) => void trace.rest('close-avatar-session', shown('a', 'closing'), {}, 'primary', `${path('a')}/close`),
    ),
  ).toBeUndefined()
  expect(
    goneIn((trace) => {
      const channel = trace.opened('a')
      trace.pass(5_000).received(channel, { type: 'session.updated' })
    }),
  ).toBeUndefined()
})

test('what is seen to be over, or is about another session, opens nothing', () => {
  expect(
    goneIn((trace) => void trace.rest('get-avatar-session', shown('a', 'closed'), {}, 'primary', path('a'))),
  ).toBeDefined()
  expect(
    goneIn((trace) => void trace.rest('get-avatar-session', shown('b', 'active'), {}, 'other', path('b'))),
  ).toEqual({ times: 1 })
})

test('sessions of ours that nothing finds are counted, and nobody else’s', () => {
  const look = (trace: TraceBuilder, session: string, answer: Parameters<TraceBuilder['rest']>[1]) =>
    trace.rest('get-avatar-session', answer, {}, 'primary', path(session))
  expect(
    goneIn((trace) => {
      trace.created('b')
      look(trace, 'b', missing)
      look(trace, 'b', missing)
      look(trace, 'foreign', missing)
    }),
  ).toEqual({ times: 2 })
  expect(
    goneIn((trace) => {
      trace.created('b')
      trace.created('c')
      look(trace, 'b', missing)
      look(trace, 'c', shown('c', 'active'))
    }),
  ).toEqual({ times: 1 })
})
