import { expect, test } from 'vitest'
import { frozenTrace } from '#testing/frozen/frozen-traces'
import { loadRules } from '#scenario/plan/load-rules'
import { asRecording } from '#testing/recording/watched-run'
import { parseTrace } from '#trace/reader'
import { judge } from './judge.ts'
import { register } from './register.ts'
import { unjudgedInRecordings } from './unjudged-in-recordings.ts'

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
