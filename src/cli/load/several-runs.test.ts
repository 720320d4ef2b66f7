import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parseHistory } from '#load/history/history-file'
import type { LoadReport } from '#load/load-report'
import { validate } from '#spec/validators'
import { writeFakeK6 } from '#testing/fake-k6'
import { type FakeShell, fakeShell } from '../testing/fake-shell.ts'
import { buckets } from '../../../load/core/summary.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
let out = ''

beforeEach(() => {
  folder = newFolder()
  out = join(folder, 'out')
})

const shellWith = (body: string): FakeShell =>
  fakeShell({ XDG_STATE_HOME: join(folder, 'state'), K6_BIN: writeFakeK6(folder, body) })

const report = (...path: readonly string[]): LoadReport => JSON.parse(readFileSync(join(...path, 'load.json'), 'utf8'))

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** A server whose latency explodes above so many iterations a second. */
const serverWithKnee = (knee: number): string => `
  const rate = scale.stages[0].rate
  const n = Math.round(rate * scale.stages[0].seconds)
  part(wholes(n, rate <= ${knee} ? 20 : 900), { duration_ms: scale.stages[0].seconds * 1000 })`

test('the knee of a server is found, measured twice, and stands in the report with every step', async () => {
  const shell = shellWith(serverWithKnee(23))
  const search = ['--objective', 'create:p99=100', '--start', '2', '--seconds', '10']
  expect(await runProgram(['load', 'knee', 'control-throughput', ...search, '--out', out], shell)).toBe(0)
  const { knee, verdict } = report(out)
  expect(validate('meta/load', report(out))).toEqual([])
  expect(verdict).toBe('pass')
  expect(knee?.objective).toBe('create p99 at most 100 ms')
  expect(knee?.knee_per_s).toBeLessThanOrEqual(23)
  expect(knee?.knee_per_s).toBeGreaterThanOrEqual(23 / 1.1)
  expect(knee?.steps.filter(({ rate, held }) => rate === knee.knee_per_s && held)).toHaveLength(2)
  expect(shell.stderr()).toMatch(/run 1: 2 a second, 2 reached: holds\n/)
})

test('a server that holds nothing has no knee', async () => {
  const search = ['--objective', 'create:p99=100', '--seconds', '10', '--start', '64']
  expect(
    await runProgram(['load', 'knee', 'control-throughput', ...search, '--out', out], shellWith(serverWithKnee(0))),
  ).toBe(1)
  expect(report(out)).toMatchObject({ verdict: 'fail', knee: { knee_per_s: null } })
})

test('a search asks for no more than the keys allow', async () => {
  const shell = shellWith(`
    const rate = Math.min(4, scale.stages[0].rate)
    const n = Math.round(rate * scale.stages[0].seconds)
    part(wholes(n, 20), { duration_ms: scale.stages[0].seconds * 1000 })`)
  const search = ['--objective', 'create:p99=100', '--seconds', '10', '--start', '1']
  expect(await runProgram(['load', 'knee', 'control-throughput', ...search, '--out', out], shell)).toBe(0)
  expect(report(out).knee?.knee_per_s).toBe(4)
  expect(report(out).reasons).toEqual([expect.stringContaining('the knee lies above it')])
  expect(shell.stdout()).toContain('the highest rate that held, measured twice, is 4 iterations a second: ')
})

const plan = (name: string) =>
  file(name, {
    runs: [
      { scenario: 'control-throughput', workload: 'smoke' },
      { scenario: 'soak', workload: 'smoke', seconds: 3, processes: 2 },
    ],
  })

test('a night runs its plan, adds each run to the history, and ends with the worst of its exit codes', async () => {
  const night = plan('plan.json')
  const good = 'part(wholes(2))'
  expect(await runProgram(['load', 'nightly', night, '--out', out], shellWith(good))).toBe(0)
  const bad = 'part({ ...wholes(2), ...(scenario === "soak" ? { flaws: { "text-lost": 1 } } : {}) })'
  expect(await runProgram(['load', 'nightly', night, '--out', out], shellWith(bad))).toBe(1)
  const { nights, unreadable } = parseHistory(readFileSync(join(out, 'history.jsonl'), 'utf8'))
  expect(unreadable).toBe(0)
  expect(nights.map(({ scenario, verdict }) => [scenario, verdict])).toEqual([
    ['control-throughput', 'pass'],
    ['soak', 'pass'],
    ['control-throughput', 'pass'],
    ['soak', 'fail'],
  ])
  // The embedded target has another port and certificate each time, and is the same all the same.
  expect(new Set(nights.map(({ fingerprint }) => fingerprint)).size).toBe(2)
  expect(report(out, 'soak-smoke')).toMatchObject({ scenario: 'soak', parts: 2, verdict: 'fail' })
  expect(readFileSync(join(out, 'soak-smoke', 'load.html'), 'utf8')).toContain('<!doctype html>')
  const exported = JSON.parse(readFileSync(join(out, 'soak-smoke', 'otava.json'), 'utf8')) as { attributes: object }[]
  expect(exported.map(({ attributes }) => attributes)).toMatchObject([{ verdict: 'pass' }, { verdict: 'fail' }])
})

test('what the profile declares away is not applicable: the rest of the night is judged, and nothing is passed that was not tried', async () => {
  const target = file('without-worlds.json', {
    base_url: 'http://127.0.0.1:9',
    allow_insecure_loopback: true,
    keys: { primary: 'GR_PRIMARY' },
    abilities: { world_sessions: false },
  })
  const night = (...names: readonly string[]) =>
    file('plan.json', { target, runs: names.map((scenario) => ({ scenario, workload: 'smoke' })) })
  const shell = fakeShell({
    XDG_STATE_HOME: join(folder, 'state'),
    K6_BIN: writeFakeK6(folder, 'part(wholes(2))'),
    GR_PRIMARY: 'sk-of-nobody',
  })
  // Nobody is at that address: what is tried can't be judged.
  expect(await runProgram(['load', 'nightly', night('world-sessions', 'soak'), '--out', out], shell)).toBe(3)
  expect(shell.stdout()).toContain('NOT APPLICABLE world-sessions')
  expect(shell.stdout()).toContain('The night: 0 of 1 runs passed, 1 was invalid, 1 was not applicable')
  expect(await runProgram(['load', 'nightly', night('world-sessions'), '--out', out], shell)).toBe(3)
  const alone = runProgram(['load', 'world-sessions', '--target', target, '--out', out], shell)
  await expect(alone).rejects.toMatchObject({ exit: 2 })
})

const otherBuckets = { ...buckets, alpha: 0.02, count: 391 }

/** A part file as k6 leaves it. */
const part = (segment: string, more: object = {}) => ({
  format: 'greenroom.load-part/1',
  run: 'r1',
  scenario: 'control-throughput',
  workload: 'smoke',
  scale: { start_rate: 1, stages: [{ seconds: 5, rate: 1 }], lag_bound_ms: 100 },
  iterations: { 'control-throughput': 4 },
  keys: [],
  buckets,
  segments: [segment],
  parts: 1,
  started_ms: 1_760_000_000_000,
  duration_ms: 5_000,
  dropped: { 'control-throughput': 0 },
  tallies: {
    'control-throughput': {
      iterations: { begun: 2, ended: 2 },
      conversations: { begun: 2, whole: 2 },
      responses: { whole: 2 },
      create_ms: { 300: 2 },
      upgrades: { opened: 2 },
      events: { 'response.done': 10 },
    },
  },
  ...more,
})

test('part files of all runners join to the whole run', async () => {
  const files = [file('a.json', part('1/2:1', { started_ms: 1_760_000_000_200 })), file('b.json', part('0:1/2'))]
  const shell = fakeShell()
  expect(await runProgram(['load', 'merge', ...files, '--out', out], shell)).toBe(0)
  expect(report(out)).toMatchObject({ parts: 2, verdict: 'pass', counts: { iterations: { begun: 4, ended: 4 } } })
  expect(report(out).latencies['create']?.count).toBe(4)
  expect(report(out).started).toBe('2025-10-09T08:53:20.000Z')
  expect(shell.stdout()).toContain('20 events (4 a second)')
  expect(shell.stdout()).toMatch(/^PASS control-throughput .* target not told \(--target\)$/m)
})

test('logs of runners hold parts, windows and samples', async () => {
  const at = 1_760_000_000
  const window = {
    at,
    scenario: 'control-throughput',
    tally: { iterations: { begun: 2 }, events: { 'response.done': 3 } },
  }
  const mark = { kind: 'mark', t: at * 1_000 + 50, mark: 1, label: 'x' }
  const log = [
    'time="…" level=info msg="something else"',
    `greenroom-window ${JSON.stringify(window)}`,
    `greenroom-sample ${JSON.stringify({ conversation: 'c-1', entry: mark })}`,
    `greenroom-part ${JSON.stringify(part('0:1', { iterations: { 'control-throughput': 2 } }))}`,
  ]
  expect(await runProgram(['load', 'merge', file('runner.log', log.join('\n')), '--out', out], fakeShell())).toBe(0)
  expect(report(out)).toMatchObject({
    timeline: [{ at_s: 0, iterations: 2, events: 3 }],
    samples: { conversations: 1 },
  })
})

test.each<[string, readonly unknown[], RegExp]>([
  [
    'of another scenario',
    [part('0:1/2'), part('1/2:1', { scenario: 'soak' })],
    /^the files don't belong together: the parts differ in scenario/,
  ],
  ['of another seed', [part('0:1/2', { seed: '1' }), part('1/2:1', { seed: '2' })], /differ in seed/],
  ['of another run', [part('0:1/2'), part('1/2:1', { run: 'r2' })], /differ in run/],
  ['with other buckets', [part('0:1/2'), part('1/2:1', { buckets: otherBuckets })], /differ in buckets/],
  ['of a Greenroom with other buckets', [part('0:1', { buckets: otherBuckets })], /another version of Greenroom/],
  ['without one segment', [part('0:1/3'), part('2/3:1')], /the segment from 1\/3 to 2\/3 is missing/],
  ['with one segment twice', [part('0:1/2'), part('0:1/2')], /is there twice/],
  [
    'of two tries, of 2 and 3 processes',
    [part('0:1/3'), part('1/3:1/2'), part('1/2:1')],
    /they hold 6 iterations of control-throughput, and a run of theirs has 4: some are of another try/,
  ],
  ['that are none', ['nothing of ours'], /holds no part of a load run; give what a runner/],
])('files %s are refused', async (_, contents, sentence) => {
  const files = contents.map((content, place) => file(`part-${place}.json`, content))
  const merged = runProgram(['load', 'merge', ...files, '--out', out], fakeShell())
  await expect(merged).rejects.toMatchObject({ exit: 2, message: expect.stringMatching(sentence) })
})
