import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { accepted } from '#trace/conditions'
import type { ScenarioEndEntry } from '#trace/entry'
import { anotherWayLabel, outcomeIn, sendsAgain } from './sent-again.ts'

const row = 'part.a.must'

/** Sends a request again that has to be accepted, and ends so. */
function sentAgain(answer: Parameters<TraceBuilder['rest']>[1] | undefined, end: Partial<ScenarioEndEntry> = {}) {
  const trace = new TraceBuilder()
  if (answer !== undefined) trace.claim(row, accepted(trace.rest('get-avatar-session', answer)))
  return trace.add({ kind: 'scenario-end', t: 9, scenario: 'replay.1', outcome: 'completed', ...end })
}

const taken = { body: { code: 0, message: 'ok', data: {} } }
const refused = { body: { code: 20004, message: 'no' } }

test('what fails again is reproduced, with what was expected and what came', () => {
  const { entries } = sentAgain(refused).end()
  expect(outcomeIn(entries, row, [])).toMatchObject({
    is: 'reproduced',
    got: expect.stringContaining('20004') as string,
  })
})

test('what is as it should be is not reproduced', () => {
  expect(outcomeIn(sentAgain(taken).end().entries, row, [])).toEqual({ is: 'not-reproduced' })
})

test('on another way than when it failed, nothing is said of it', () => {
  const trace = sentAgain(refused)
  trace.mark(anotherWayLabel('the service ended the session'))
  expect(outcomeIn(trace.end().entries, row, [])).toEqual({ is: 'undecided', reason: 'the service ended the session' })
})

test('what was not sent is undecided, for the reason why', () => {
  const reason = (end: Partial<ScenarioEndEntry>) => outcomeIn(sentAgain(undefined, end).end().entries, row, [])
  expect(reason({ outcome: 'blocked', reason: 'no place' })).toEqual({ is: 'undecided', reason: 'no place' })
  expect(reason({ outcome: 'blocked' })).toEqual({ is: 'undecided', reason: 'it was blocked' })
  expect(reason({ reason: 'no matter' })).toEqual({
    is: 'undecided',
    reason: 'nothing was observed that speaks about it',
  })
  const cut = sentAgain(undefined).add({ kind: 'end', t: 9, outcome: 'interrupted' })
  expect(outcomeIn(cut.entries, row, [])).toEqual({ is: 'undecided', reason: 'the run ended interrupted' })
})

test('scenarios that send again are known by their names', () => {
  expect(['replay.1', 'confirm.1', 'confirm-whole.1', 'confirm-other.1'].filter(sendsAgain)).toHaveLength(4)
  expect([undefined, 'voices.replay', 'confirmed.1'].filter(sendsAgain)).toEqual([])
})
