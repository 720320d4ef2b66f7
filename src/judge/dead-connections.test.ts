import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { event, eventually } from '#trace/conditions'
import { judge } from './judge.ts'
import type { RegisterView } from './register-view.ts'

const row = 'part.a.must'
const register: RegisterView = {
  release: { version: '1.0.0', digest: 'a'.repeat(64) },
  rows: new Map([[row, { section: '4.1', level: 'must', text: 'x', standing: 'stated' }]]),
  choices: new Map(),
  digest: 'digest',
}

test.each([
  [1, 'inconclusive'],
  [2, 'fail'],
])('a service over which %i connections die without a word, and none goes on: %s', (times, verdict) => {
  const trace = new TraceBuilder({ manifest: [{ scenario: 'part.s', proves: [row] }] })
  trace.add({ kind: 'scenario-start', t: 0, scenario: 'part.s' })
  for (let time = 0; time < times; time += 1) {
    trace.created(`s${time}`, `k${time}`)
    const channel = trace.opened(`s${time}`)
    const frame = trace.sent(channel, { type: 'conversation.item.create' })
    const last = trace.entries.at(-1)?.t ?? 0
    trace.claim(row, eventually(channel, { frame }, event('conversation.item.created'), 500))
    trace.pass(2_000).foundDead(channel, last).pass(500)
  }
  trace.add({ kind: 'scenario-end', t: 0, scenario: 'part.s', outcome: 'completed' }).end()
  const { requirements } = judge({ entries: trace.entries, truncated: false, sha256: 'sum' }, register, [])
  expect(requirements.map((one) => one.verdict)).toEqual([verdict])
})
