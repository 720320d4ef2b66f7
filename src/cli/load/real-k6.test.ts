import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { findK6 } from '#load/k6/binary'
import type { LoadReport } from '#load/load-report'
import { deadJournals } from '#scenario/journal/journal-state'
import { packageRoot } from '#spec/package-root'
import { type RunningTarget, startTarget } from '#target/start'
import { HANG_MS, WHOLE_RUN_MS } from '#testing/hang'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

const k6 = findK6()
const bin = join(packageRoot(), 'src/bin.js')
let folder = ''
beforeEach(() => {
  folder = newFolder()
})

const report = (): LoadReport => JSON.parse(readFileSync(join(folder, 'out', 'load.json'), 'utf8'))

const ourShell = () => fakeShell({ K6_BIN: 'path' in k6 ? k6.path : '', XDG_STATE_HOME: join(folder, 'state') })

const load = (...args: readonly string[]): Promise<number> =>
  runProgram(['load', ...args, '--out', join(folder, 'out')], ourShell())

/** What a machine that is busy with other tests measures late says nothing of the target. */
const fine = (exit: number): void => {
  const { verdict, reasons } = report()
  const busy =
    verdict === 'invalid' &&
    reasons.every((reason) => /generator (was behind|got too little time)|iterations began|no free user/.test(reason))
  if (!busy) expect({ exit, verdict, reasons }).toEqual({ exit: 0, verdict: 'pass', reasons: [] })
}

/** One that waits for minutes on the clock of a limiter is tried on simulated time instead. */
const quick = [...scenarios.values()].filter(
  ({ arrival }) => arrival.kind === 'rate' || (arrival.iteration_ms ?? 0) < 300_000,
)

test.runIf('path' in k6).for(quick.map(({ name }) => name))(
  '%s, smoke, on the embedded target',
  { timeout: WHOLE_RUN_MS },
  async (name) => {
    const exit = await load(name, '--workload', 'smoke')
    // The embedded target never lacks capacity, so that nothing can be judged of how it says so.
    if (name === 'capacity-backoff') expect(report()).toMatchObject({ verdict: 'invalid', exit: 3 })
    else fine(exit)
    expect(report().requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(existsSync(join(folder, 'out', 'load.html'))).toBe(true)
  },
)

test.runIf('path' in k6)('text that the target loses is found', { timeout: WHOLE_RUN_MS }, async () => {
  const lost = 'control-channel.text-delta.concatenate-to-final-text'
  expect(await load('control-throughput', '--seconds', '2', '--defect', lost)).toBe(1)
  expect(report().reasons.join()).toContain('text-lost')
  expect(report().requirements.find(({ id }) => id === lost)?.verdict).toBe('fail')
})

test.runIf('path' in k6)('every script runs as one file', { timeout: WHOLE_RUN_MS }, async () => {
  const profile = join(folder, 'profile.json')
  writeFileSync(profile, JSON.stringify({ base_url: 'https://127.0.0.1:1', keys: { primary: 'GR_KEY' } }))
  for (const name of [...scenarios.keys(), 'mix']) {
    const file = join(folder, `${name}.js`)
    expect(await runProgram(['load', 'cloud', name, '--target', profile, '--out', file], ourShell())).toBe(0)
    const environment = { GREENROOM_TARGET: 'https://127.0.0.1:1', GREENROOM_API_KEY: 'x', GREENROOM_MIX: '{"soak":1}' }
    const variables = Object.entries(environment).flatMap(([variable, value]) => ['-e', `${variable}=${value}`])
    const inspect = spawn('path' in k6 ? k6.path : '', ['inspect', ...variables, file], { stdio: 'ignore' })
    expect(await once(inspect, 'close'), name).toEqual([0, null])
  }
})

let target: RunningTarget

beforeAll(async () => {
  target = await startTarget()
})

afterAll(async () => target.stop())

test.runIf('path' in k6)(
  'what is left when greenroom itself is killed is closed by cleanup, and k6 ends by itself',
  { timeout: WHOLE_RUN_MS },
  async () => {
    const { base_url, ca_pem = '', keys } = target
    writeFileSync(join(folder, 'ca.pem'), ca_pem)
    const profile = join(folder, 'profile.json')
    const limits = { primary: { requests_per_minute: 6_000 } }
    writeFileSync(profile, JSON.stringify({ base_url, ca_file: 'ca.pem', keys: { primary: 'GR_KEY' }, limits }))
    const env = {
      PATH: process.env['PATH'] ?? '',
      XDG_STATE_HOME: join(folder, 'state'),
      K6_BIN: 'path' in k6 ? k6.path : '',
      GR_KEY: keys.primary,
    }
    const args = ['load', 'soak', '--workload', 'average', '--target', profile, '--out', join(folder, 'out')]
    const run = spawn(process.execPath, [bin, ...args], { env, stdio: 'ignore' })
    await expect.poll(() => target.openSessions(), { interval: 20, timeout: HANG_MS }).toBeGreaterThan(1)
    run.kill('SIGKILL')
    await once(run, 'exit')
    const state = { folder: join(folder, 'state', 'greenroom') }
    await expect.poll(() => deadJournals(state), { interval: 50, timeout: HANG_MS }).toHaveLength(1)
    expect(await runProgram(['cleanup', '--target', profile], fakeShell(env))).toBe(0)
    await expect.poll(() => target.openSessions(), { interval: 20, timeout: HANG_MS }).toBe(0)
  },
)
