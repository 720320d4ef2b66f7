import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { deadJournals } from '#scenario/journal/journal-state'
import { type RunningTarget, startTarget } from '#target/start'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { HANG_MS, WHOLE_RUN_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'

const narrow = 'limits.disconnected-timeout.9-rejected'
const bin = join(import.meta.dirname, '../../bin.js')
let folder = ''
let target: RunningTarget
let env: { [name: string]: string } = {}

/** A target of which every test has its own, a profile, the keys, and a place for journals. */
beforeEach(async () => {
  folder = newFolder()
  target = await startTarget()
  const names = Object.keys(target.keys).map((name) => [name, `GR_${name.toUpperCase()}`])
  const { base_url, ca_pem = '', limits, media, triggers } = target
  writeFileSync(join(folder, 'ca.pem'), ca_pem)
  const profile = { base_url, ca_file: 'ca.pem', keys: Object.fromEntries(names), limits, media, triggers }
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
  const values = Object.entries(target.keys).map(([name, value]) => [`GR_${name.toUpperCase()}`, value])
  env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: join(folder, 'state'), ...Object.fromEntries(values) }
})

afterEach(async () => {
  await target.stop()
})

/** A run that takes a second or two. */
const checkArguments = (...more: readonly string[]): string[] => {
  const out = join(folder, 'out')
  return ['check', '--target', join(folder, 'profile.json'), '--out', out, '--seed', '5', '--only', narrow, ...more]
}

/** A session that was asked to close is `closing` for a while. */
const allClosed = (): Promise<void> => expect.poll(() => target.openSessions(), { interval: 5 }).toBe(0)

const results = (): Results => JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8'))

function allureStatuses(): readonly string[] {
  const place = join(folder, 'out', 'allure-results')
  const names = readdirSync(place).filter((name) => name.endsWith('-result.json'))
  return names.map((name): string => JSON.parse(readFileSync(join(place, name), 'utf8')).status).toSorted()
}

/** All that the run wrote, journals included. */
function everyFile(): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
}

const whole = { timeout: WHOLE_RUN_MS }

test(
  'a run ends with results that can be judged again, and leaves neither sessions nor keys behind',
  whole,
  async () => {
    const shell = fakeShell(env)
    const exit = await runProgram(checkArguments('--report', 'junit', '--report', 'ctrf', '--report', 'github'), shell)
    expect(results()).toMatchObject({
      run: { outcome: 'completed', seed: 5, only: [narrow] },
      leaked: [],
      harness_errors: [],
    })
    expect(exit).toBe(0)
    await allClosed()
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual([
      'ctrf.json',
      'junit.xml',
      'results.json',
      'summary.md',
      'trace.ndjson',
    ])
    const again = fakeShell()
    expect(await runProgram(['judge', join(folder, 'out', 'trace.ndjson')], again)).toBe(exit)
    expect(again.stdout()).toBe(readFileSync(join(folder, 'out', 'results.json'), 'utf8'))
    const written = everyFile() + shell.stdout() + shell.stderr()
    for (const key of Object.values(target.keys)) expect(written.includes(key)).toBe(false)
  },
)

test('a seeded mistake ends with 1, and its line says what, where and how to see it again', async () => {
  const shell = fakeShell(env)
  const out = join(folder, 'out')
  expect(await runProgram(['check', '--defect', narrow, '--only', narrow, '--out', out], shell)).toBe(1)
  expect(shell.stdout()).toContain(`FAIL ${narrow}  MUST §8\n`)
  expect(shell.stdout()).toMatch(
    /\n {2}again {5}curl -sS -i -X POST https:.*"Authorization: Bearer \$\w+".*"disconnected_timeout_seconds":9/,
  )
  expect(shell.stdout()).toMatch(/\n {2}evidence .*trace\.ndjson:\d+/)
  expect(shell.stdout()).toMatch(/\nNot conformant: 1 requirement failed\. \(exit code 1\)\n$/)
})

test('an interrupted run closes its sessions, keeps partial results and ends with 130', async () => {
  const shell = fakeShell(env)
  const run = runProgram(checkArguments(), shell)
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBeGreaterThan(0)
  shell.interrupt()
  expect(await run).toBe(130)
  await allClosed()
  expect(results()).toMatchObject({ run: { outcome: 'interrupted', reason: 'SIGINT' }, conformant: null, leaked: [] })
})

test('a child that dies is our fault, and its sessions are closed all the same', async () => {
  const journal = join(folder, 'run.journal')
  const run = runProgram(checkArguments('--journal', journal, '--report', 'allure'), fakeShell(env))
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBeGreaterThan(0)
  const worker = /"kind":"worker","process":\{"pid":(\d+)/.exec(readFileSync(journal, 'utf8'))?.[1]
  process.kill(Number(worker), 'SIGKILL')
  expect(await run).toBe(4)
  await allClosed()
  expect(results().harness_errors.map(({ message }) => message)).toContain(
    'the process that runs the scenarios was ended by SIGKILL, as a system does that runs out of memory',
  )
  expect(allureStatuses()).toEqual(['broken', 'skipped'])
})

test('what a killed run left open is closed by cleanup, and by nothing else', async () => {
  const run = spawn(process.execPath, [bin, ...checkArguments()], { env, stdio: 'ignore' })
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBeGreaterThan(0)
  run.kill('SIGKILL')
  await once(run, 'exit')
  const state = { folder: join(folder, 'state', 'greenroom') }
  await expect.poll(() => deadJournals(state), { interval: 20, timeout: HANG_MS }).toHaveLength(1)
  const shell = fakeShell(env)
  expect(await runProgram(['cleanup', '--target', join(folder, 'profile.json')], shell)).toBe(0)
  expect(shell.stdout()).toMatch(/: (closed \d+|nothing was left to close)\n$/)
  await allClosed()
  expect(deadJournals(state)).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a disk that takes no more ends the run with 4 and a sentence, sessions closed',
  async () => {
    const limited = [
      '-c',
      'ulimit -f 250; exec "$0" "$@"',
      process.execPath,
      bin,
      ...checkArguments('--only', 'avatar-sessions'),
    ]
    const run = spawn('bash', ['--norc', '--noprofile', ...limited], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [run.stdout, run.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    expect(await once(run, 'close')).toEqual([4, null])
    expect(said).toMatch(/ndjson cannot be written: the file would become too large\.|results\.json cannot be written/)
    expect(said).toMatch(/until then \d+ requirements had passed, 0 failed|results\.json cannot be written/)
    expect(target.requestsServed()).toBeGreaterThan(1)
    await allClosed()
  },
)

test('a target whose certificate is not trusted ends with 3, and no key was sent', async () => {
  const shell = fakeShell({ GREENROOM_TARGET: target.base_url, GREENROOM_API_KEY: target.keys.primary })
  expect(await runProgram(['check', '--out', join(folder, 'out')], shell)).toBe(3)
  expect(shell.stdout()).toContain(
    'TLS failed; where its certificate has an authority of its own, name that in ca_file',
  )
  expect(target.requestsServed()).toBe(0)
})

test('a dry run sends nothing and shows the price', async () => {
  const shell = fakeShell(env)
  expect(await runProgram(checkArguments('--dry-run'), shell)).toBe(0)
  expect(shell.stdout()).toMatch(
    / +all parts +\d+ +\d+\n\n\d+ scenarios?, tier standard; at most, by key:\n(?: +\w+ +\d+\n)+/,
  )
  expect(target.requestsServed()).toBe(0)
})

/** What is thrown at a command line. */
const misuse = async (...args: readonly string[]): Promise<unknown> =>
  runProgram(args, fakeShell(env)).catch((error: unknown) => error)

test('a target beside --defect, an unknown id and a journal that cannot be written are wrong uses', async () => {
  expect(await misuse(...checkArguments('--defect', 'x'))).toMatchObject({
    exit: 2,
    message: '--defect changes the embedded target only, but --target names another; leave one of them out',
  })
  expect(await misuse(...checkArguments('--only', 'limits.api-key-rate.recover'))).toMatchObject({
    exit: 2,
    message: expect.stringMatching(/^--only: .*did you mean limits\.api-key-rate\.recovers\?$/),
  })
  mkdirSync(join(folder, 'out'))
  writeFileSync(join(folder, 'file'), '')
  expect(await misuse(...checkArguments('--journal', join(folder, 'file', 'j')))).toMatchObject({
    exit: 2,
    message: expect.stringMatching(
      /^the journal .* cannot be written \(a part of its path is a file\); give another place/,
    ),
  })
})

test('a baseline excuses what failed in it, and what failed can be run alone', async () => {
  await target.stop()
  target = await startTarget({ defects: [narrow] })
  const { base_url, ca_pem = '' } = target
  const profile = JSON.parse(readFileSync(join(folder, 'profile.json'), 'utf8'))
  writeFileSync(join(folder, 'profile.json'), JSON.stringify({ ...profile, base_url }))
  writeFileSync(join(folder, 'ca.pem'), ca_pem)
  for (const [name, value] of Object.entries(target.keys)) env[`GR_${name.toUpperCase()}`] = value
  expect(await runProgram(checkArguments(), fakeShell(env))).toBe(1)
  const baseline = join(folder, 'baseline.json')
  writeFileSync(baseline, readFileSync(join(folder, 'out', 'results.json')))
  const shell = fakeShell(env)
  expect(await runProgram(checkArguments('--baseline', baseline), shell)).toBe(0)
  expect(shell.stdout()).toContain('No new failures')
  const again = checkArguments('--failed', baseline).filter((one) => one !== '--only' && one !== narrow)
  expect(await runProgram(again, fakeShell(env))).toBe(1)
  expect(results().run.only).toEqual([narrow])
})

test('a run that has no request left all the same sees at its end that nothing is left', whole, async () => {
  const few = ['--max-requests', '60', '--only', 'avatar-sessions']
  const shell = fakeShell(env)
  await runProgram([...checkArguments(), ...few], shell)
  expect(results().requirements.filter(({ reason_code }) => reason_code === 'budget')).not.toEqual([])
  expect(shell.stderr()).not.toContain('too few were left to look')
  expect(results().leaked).toEqual([])
})
