import { expect, test } from 'vitest'
import { frozenTrace } from '#testing/frozen/frozen-traces'
import { loadRules } from '#scenario/plan/load-rules'
import { asRecording } from '#testing/recording/watched-run'
import { parseTrace, type Trace } from '#trace/reader'
import { judge } from './judge.ts'
import { register } from './register.ts'
import type { Rule } from './rule.ts'
import { unjudgedInRecordings, whyBreachIsOpen } from './recordings.ts'

test('rows that rest on names of Greenroom’s own are judged in a run, and told as inconclusive in a recording', async () => {
  const trace = parseTrace(frozenTrace('reference'))
  const rules = await loadRules()
  const ofRun = new Map(judge(trace, register(), rules).requirements.map((row) => [row.id, row]))
  const recorded = judge(asRecording(trace), register(), rules).requirements
  for (const [id, reason] of unjudgedInRecordings) {
    expect(ofRun.get(id)?.verdict).toBe('pass')
    expect(recorded.find((row) => row.id === id)).toMatchObject({ verdict: 'inconclusive', reason, observations: 0 })
  }
})

test('what somebody else may have done to a character is a breach in a run, and open in a recording', async () => {
  const id = 'characters.session.model-saved'
  const rule: Rule = {
    id: 'test.model',
    proves: [id],
    judge: (_trace, report) => report.broken(id, { expected: 'a', got: 'b', lines: [1] }),
  }
  const trace = parseTrace(frozenTrace('reference'))
  const verdictOn = (one: Trace): string | undefined =>
    judge(one, register(), [rule]).requirements.find((row) => row.id === id)?.verdict
  expect([verdictOn(trace), verdictOn(asRecording(trace))]).toEqual(['fail', 'inconclusive'])
  for (const other of ['characters.create.name-missing-rejected', 'characters.list.next-page-token-string'])
    expect(whyBreachIsOpen(other)).toBeUndefined()
})
