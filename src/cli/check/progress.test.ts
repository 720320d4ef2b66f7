import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followTrace } from './follow-trace.ts'
import { progressLine } from './progress.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenroom-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const line = (kind: string, scenario: string): string => `${JSON.stringify({ kind, t: 1, scenario })}\n`

test('a follower counts what is added, also when a line comes in two pieces', () => {
  const file = join(folder, 'trace.ndjson')
  const follower = followTrace(file)
  expect(follower.look()).toEqual({ requests: 0, scenariosDone: 0, running: [] })
  writeFileSync(
    file,
    line('scenario-start', 'voices.clone') + line('request', 'voices.clone') + line('request', 'ü').slice(0, 10),
  )
  expect(follower.look()).toEqual({ requests: 1, scenariosDone: 0, running: ['voices.clone'] })
  appendFileSync(
    file,
    line('request', 'ü').slice(10) + line('scenario-end', 'voices.clone') + line('scenario-start', 'voices.get'),
  )
  expect(follower.look()).toEqual({ requests: 2, scenariosDone: 1, running: ['voices.get'] })
})

test('the line shows counts, pace, time left and the current scenario', () => {
  const state = { requests: 20, scenariosDone: 5, running: ['voices.clone', 'voices.get'] }
  expect(progressLine(state, { scenarios: 10, requests: 40, seconds: 40 }, 10)).toBe(
    '5/10 scenarios · 20/40 requests · 2.0/s · about 20 s left · voices.get',
  )
})

test('the line never promises a negative rest or fewer requests than were sent', () => {
  const state = { requests: 50, scenariosDone: 10, running: [] }
  expect(progressLine(state, { scenarios: 10, requests: 40, seconds: 5 }, 20)).toBe(
    '10/10 scenarios · 50/50 requests · 2.5/s · about 0 s left',
  )
})
