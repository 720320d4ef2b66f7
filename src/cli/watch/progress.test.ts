import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RequirementResult } from '#judge/results'
import type { Scenario } from '#scenario/author/scenario'
import type { KeyName } from '#spec/profile'
import { row } from '#testing/hand-made-results'
import { voicesRequest } from '#testing/recording/voices-request'
import type { Entry } from '#trace/entry'
import { failedBy } from './failed-so-far.ts'
import { followTrace } from './follow-trace.ts'
import { progressLine } from './progress.ts'
import { RunState, tellingKinds } from './run-state.ts'
import type { Planned } from './time-left.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

const line = (kind: string, scenario: string): string => `${JSON.stringify({ kind, t: 1, scenario })}\n`

test('a follower hands on what is added, also when a line comes in two pieces', () => {
  const file = join(folder, 'trace.ndjson')
  const follower = followTrace(file, tellingKinds)
  const kinds = () => follower.look().map(({ kind }) => kind)
  expect(kinds()).toEqual([])
  writeFileSync(file, line('scenario-start', 'voices.clone') + line('mark', 'ü') + line('request', 'ü').slice(0, 10))
  expect(kinds()).toEqual(['scenario-start'])
  appendFileSync(file, line('request', 'ü').slice(10) + line('scenario-end', 'voices.clone'))
  expect(kinds()).toEqual(['request', 'scenario-end'])
})

function planOf(id: string, requests: number, more: Partial<Scenario> = {}): Scenario {
  return { id, proves: [], price: { requests: { primary: requests } }, drive: () => Promise.resolve(), ...more }
}

function planned(...scenarios: readonly Scenario[]): Planned {
  const keys = { primary: 'KEY', rate_limited: 'LIMITED' }
  return { scenarios, left_out: {}, profile: { base_url: 'https://target.example', keys }, requests: 40 }
}

let exchange = 0
function request(scenarioId: string, t: number, key: KeyName = 'primary'): Entry {
  exchange += 1
  return voicesRequest({ t, scenario: scenarioId, exchange, key })
}

function limited(t: number, seconds: number): Entry {
  const headers = { 'retry-after': String(seconds) }
  return { kind: 'response', t, exchange, attempt: 1, status: 429, headers, body: { code: 10008 }, bytes: 0 }
}

function stateOf(...entries: readonly Entry[]): RunState {
  const state = new RunState()
  for (const entry of entries) state.take(entry)
  return state
}

const start = (id: string, t: number): Entry => ({ kind: 'scenario-start', t, scenario: id })
const end = (id: string, t: number): Entry => ({ kind: 'scenario-end', t, scenario: id, outcome: 'completed' })

const two = planned(planOf('voices.clone', 4), planOf('voices.get', 4))

test('the line shows counts, what failed, the time left and the current scenario', () => {
  const state = stateOf(start('voices.clone', 0), request('voices.clone', 100), start('voices.get', 900))
  expect(progressLine(state, two, 1_000, 2)).toMatch(
    /^0\/2 scenarios · 1\/40 requests · 2 failed · about \d+ s left · voices\.get$/,
  )
})

test('the line never promises fewer requests than were sent', () => {
  const sent = Array.from({ length: 50 }, () => request('voices.clone', 100))
  expect(progressLine(stateOf(start('voices.clone', 0), ...sent), two, 1_000, 0)).toContain('50/50 requests')
})

test.each([
  [
    'a Retry-After',
    [request('voices.clone', 100, 'rate_limited'), limited(200, 60)],
    'Retry-After of key rate_limited, 41 s left',
  ],
  [
    'a Retry-After that is too long to wait for',
    [request('voices.clone', 100, 'rate_limited'), limited(200, 60_000)],
    'answers and events',
  ],
  [
    'the pace of a key',
    Array.from({ length: 58 }, () => request('voices.clone', 1_000)),
    'pace of key primary (60 requests a minute), 43 s left',
  ],
  ['nothing but the target', [request('voices.clone', 100)], 'answers and events'],
] as const)('it names what is waited for: %s', (_, entries, waiting) => {
  const line_ = progressLine(stateOf(start('voices.clone', 0), ...entries), two, 19_200, 0)
  expect(line_).toContain(`waits for ${waiting} · voices.clone`)
})

test('who waits for the pace of a key is not over before it, though all was sent that was foretold', () => {
  const all = Array.from({ length: 58 }, () => request('voices.clone', 1_000))
  const one = planned(planOf('voices.clone', 4))
  expect(progressLine(stateOf(start('voices.clone', 0), ...all), one, 19_200, 0)).toMatch(/about 4[3-9] s left/)
})

test('it names the scenario whose timer is waited for', () => {
  const long = planned(planOf('avatar-sessions.idle', 2, { price: { requests: { primary: 2 }, waits: 50 } }))
  const line_ = progressLine(
    stateOf(start('avatar-sessions.idle', 0), request('avatar-sessions.idle', 9)),
    long,
    20_000,
    0,
  )
  expect(line_).toContain('waits for a timer in avatar-sessions.idle, about 30 s left')
  expect(line_).toContain('about 32 s left')
})

test('of what failed only that of scenarios which have ended is told', () => {
  const failed = (id: string, by?: string): RequirementResult => ({
    ...row(id, 'fail'),
    failures: [{ expected: 'a', got: 'b', evidence: [], ...(by === undefined ? {} : { scenario: by }) }],
  })
  const rows = [failed('a.b.c', 'a.one'), failed('a.b.d', 'a.two'), failed('a.b.e'), row('a.b.f', 'pass')]
  expect(failedBy(rows, new Set(['a.one']))).toEqual(['a.b.c'])
})

test('a scenario that has ended and is driven again is done once', () => {
  const state = stateOf(start('voices.get', 0), end('voices.get', 9), start('voices.get', 10))
  expect([state.done.size, [...state.running.keys()]]).toEqual([1, ['voices.get']])
})
