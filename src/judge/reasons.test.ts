import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { accepted } from '#trace/conditions'
import { judge } from './judge.ts'
import type { RegisterView } from './register-view.ts'
import type { Results } from './results.ts'

const id = 'part.a.twice'
const register: RegisterView = {
  release: { version: '1.0.0', digest: 'a'.repeat(64) },
  rows: new Map([[id, { section: '4.1', level: 'must', text: 'x', standing: 'stated', at_least: 2 }]]),
  choices: new Map(),
  digest: 'digest',
}

function run(build: (trace: TraceBuilder) => void): Results {
  const trace = new TraceBuilder({ manifest: [{ scenario: 'part.s', proves: [id] }] })
  trace.add({ kind: 'scenario-start', t: 0, scenario: 'part.s' })
  build(trace)
  trace.add({ kind: 'scenario-end', t: 0, scenario: 'part.s', outcome: 'completed' }).end()
  return judge({ entries: trace.entries, truncated: false, sha256: 'sum' }, register, [])
}

test('a row that was seen too seldom says how often, and one that nothing spoke of says that', () => {
  const reasonOf = (build: (trace: TraceBuilder) => void): string | undefined => run(build).requirements[0]?.reason
  expect(reasonOf((trace) => void trace.claim(id, accepted(trace.created())))).toBe('seen 1 time(s), 2 needed')
  expect(reasonOf((trace) => void trace.claim(id, accepted(99)))).not.toContain('seen')
  expect(reasonOf(() => {})).not.toContain('seen')
})

test('a run lasts until its last entry', () => {
  expect(run((trace) => trace.pass(4_000)).run.duration_ms).toBeGreaterThan(4_000)
})
