import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LoadReport } from '#load/load-report'
import { validate } from '#spec/validators'
import { type RunningTarget, startTarget } from '#target/start'
import { writeFakeK6 } from '#testing/fake-k6'
import { HANG_MS } from '#testing/hang'
import { parseTrace } from '#trace/reader'
import { type FakeShell, fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
let target: RunningTarget
let out = ''

beforeEach(async () => {
  folder = newFolder()
  out = join(folder, 'out')
  target = await startTarget()
  writeProfile({})
})

afterEach(async () => {
  await target.stop()
})

function writeProfile(more: object): void {
  const { base_url, ca_pem = '' } = target
  writeFileSync(join(folder, 'ca.pem'), ca_pem)
  const profile = { base_url, ca_file: 'ca.pem', keys: { primary: 'GR_PRIMARY' }, ...more }
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
}

/** The shell of somebody whose k6 does what `body` says. */
function shellWith(body: string): FakeShell {
  return fakeShell({
    XDG_STATE_HOME: join(folder, 'state'),
    K6_BIN: writeFakeK6(folder, body),
    GR_PRIMARY: target.keys.primary,
  })
}

const load = (shell: FakeShell, ...more: readonly string[]): Promise<number> =>
  runProgram(['load', 'control-throughput', '--target', join(folder, 'profile.json'), '--out', out, ...more], shell)

const report = (): LoadReport => JSON.parse(readFileSync(join(out, 'load.json'), 'utf8'))

const samples = () => parseTrace(readFileSync(join(out, 'samples.ndjson')))

const allClosed = (): Promise<void> => expect.poll(() => target.openSessions(), { interval: 5 }).toBe(0)

const oneWhole = `
  const id = await create()
  entry('c-1', { kind: 'request', exchange: 1, attempt: 1, operation: 'close-avatar-session', method: 'POST',
    path: '/v1/realtime-avatar/sessions/' + id + '/close', key: 'primary', headers: { authorization: 'Bearer ' + env.GREENROOM_KEY_PRIMARY } })
  await close(id)
  window(wholes(1)); part(wholes(1))`

test('a run ends with a report, a trace and a page, and leaves neither sessions nor keys behind', async () => {
  const shell = shellWith(oneWhole)
  expect(await load(shell)).toBe(0)
  expect(readdirSync(out).toSorted()).toEqual(['load.html', 'load.json', 'samples.ndjson'])
  expect(validate('meta/load', report())).toEqual([])
  expect(report()).toMatchObject({ verdict: 'pass', exit: 0, parts: 1, reasons: [], samples: { conversations: 1 } })
  expect(samples().entries.map(({ kind }) => kind)).toEqual(['header', 'request', 'cleanup', 'end'])
  await allClosed()
  const written = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
  const said = [...written, shell.stdout(), shell.stderr()].join('\n')
  expect(said).not.toContain(target.keys.primary)
  expect(shell.stdout()).toMatch(/^PASS control-throughput · smoke · 1 k6/)
})

test('a workload that the keys lower is told as lowered; one that they bear is not', async () => {
  const shell = shellWith('window(wholes(9)); part(wholes(9))')
  await load(shell, '--workload', 'stress')
  expect(report().rate.wanted_per_s).toBeGreaterThan(report().rate.target_per_s)
  // Nine of 918 iterations: the whole shape is lowered.
  expect(report().rate.shape?.stages[2]?.rate).toBeCloseTo((10 * 9) / 918, 2)
  expect(validate('meta/load', report())).toEqual([])
  expect(shell.stdout()).toMatch(/the workload wants [\d.]+ a second, and the keys of the profile allow no more/)
  await load(shellWith('part(wholes(6))'))
  expect(report().rate).not.toHaveProperty('wanted_per_s')
  expect(report().rate).not.toHaveProperty('shape')
})

test.each([
  [['--rate', '2', '--seconds', '8'], 16],
  [['--seconds', '20'], 20],
  [['--rate', '100', '--seconds', '8'], 600],
])('with %j there are users for services that take their time, as many as cost little', async (options, users) => {
  await load(shellWith('part(wholes(scale.users))'), ...options)
  expect(report().counts).toMatchObject({ iterations: { begun: users } })
})

test.each([2, 4, 8])('%d processes count what one counts', async (processes) => {
  expect(await load(shellWith('window(wholes(3)); part(wholes(3))'), '--processes', String(processes))).toBe(0)
  expect(report()).toMatchObject({ parts: processes, counts: { iterations: { begun: 3 * processes } } })
  expect(report().latencies['create']?.count).toBe(3 * processes)
})

test('what the scenario finds is the verdict, and so is a missed objective', async () => {
  writeProfile({ objectives: { latency: { create: { p95_ms: 5 }, reconnect: { p50_ms: 1 } } } })
  expect(await load(shellWith('part({ ...wholes(3), flaws: { "text-lost": 1 } })'))).toBe(1)
  expect(report().reasons).toEqual([
    expect.stringContaining('once text-lost: it must hold that '),
    expect.stringMatching(/^create p95 is .* ms, and the profile wants at most 5 ms$/),
  ])
  expect(report().objectives).toMatchObject([{ operation: 'create', name: 'p95_ms', holds: false }])
})

test('a sampled conversation that breaks a requirement fails the run, with its line', async () => {
  const breaks = `
    const base = { exchange: 1, attempt: 1 }
    entry('c-7', { kind: 'request', ...base, operation: 'list-avatar-sessions', method: 'GET', path: '/v1/realtime-avatar/sessions', key: 'primary', headers: {} })
    entry('c-7', { kind: 'response', ...base, status: 200, headers: { 'content-type': 'application/json' }, body: { code: 0, message: 5, data: {} }, bytes: 40 })
    part(wholes(1))`
  expect(await load(shellWith(breaks))).toBe(1)
  const broken = report().requirements.filter(({ verdict }) => verdict === 'fail')
  expect(broken.length).toBeGreaterThan(0)
  expect(broken.flatMap(({ evidence }) => evidence)).toContainEqual({ conversation: 'c-7', line: 3 })
  expect(report().reasons[0]).toMatch(/^[\w.-]+ is broken: .* \(conversation c-7, samples\.ndjson:\d\)$/)
})

test('a run of nothing but 429 is invalid', async () => {
  const refused = 'part({ iterations: { begun: 2, ended: 2 }, errors: { "create 429 10008": 2 } })'
  expect(await load(shellWith(refused))).toBe(3)
  expect(report()).toMatchObject({
    verdict: 'invalid',
    errors: [{ phase: 'create', http: 429, code: '10008', count: 2 }],
  })
  expect(report().reasons.join()).toContain('429 and nothing else')
})

test('a k6 that is killed costs its part only: what it said counts, its session is closed, and it is our fault', async () => {
  const killed = 'await create(); window({ iterations: { begun: 1 } }); process.kill(process.pid, "SIGKILL")'
  expect(await load(shellWith(killed))).toBe(4)
  expect(report().reasons).toContain('k6 process 1 of 1 ended with a signal and left no result')
  expect(report().counts).toEqual({ iterations: { begun: 1 } })
  await allClosed()
})

test('a climb ends where the target broke, with what it left closed', { timeout: HANG_MS }, async () => {
  const shell = shellWith(`
  await create()
  const now = Math.floor(Date.now() / 5000) * 5
  for (const ago of [40, 35]) window(wholes(10), now - ago)
  const broken = { ...wholes(15), errors: { 'create 503 no-envelope': 20 } }
  for (const ago of [30, 25, 20]) window(broken, now - ago)
  await stopped()
  const { conversations, ...rest } = wholes(65)
  part({ ...rest, conversations: { begun: 66, whole: 65 }, iterations: { begun: 66, ended: 65 } }, { iterations: { [scenario]: 9150 } })`)
  expect(await load(shell, '--workload', 'breakpoint')).toBe(1)
  expect(report()).toMatchObject({
    verdict: 'fail',
    broke: { by: 'target', held_per_s: 2, why: '20 errors in 5 s' },
    reasons: [
      expect.stringMatching(/^the target broke .* \(20 errors in 5 s\); the highest rate that held is 2 a second$/),
    ],
  })
  expect(validate('meta/load', report())).toEqual([])
  expect(shell.stdout()).not.toContain(' a second of ')
  expect(shell.stderr()).toContain('the target broke: the load ends here')
  expect(samples().entries.at(-1)).toMatchObject({ kind: 'end', outcome: 'interrupted' })
  await allClosed()
})

test('an interrupted run closes its sessions, writes its report and ends with 130', async () => {
  const shell = shellWith(
    'const told = stopped(); await create(); await create(); await told; part({ iterations: { begun: 2 } }); process.exit(105)',
  )
  const running = load(shell)
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBe(2)
  shell.interrupt()
  // Who sees nothing happen presses Ctrl-C again, and loses the report.
  expect(shell.stderr()).toContain('interrupted: closes what it opened')
  expect(await running).toBe(130)
  await allClosed()
  expect(report()).toMatchObject({ exit: 130, verdict: 'invalid', reasons: ['the run was interrupted'] })
  const end = samples().entries.slice(-2)
  expect(end).toMatchObject([
    { kind: 'cleanup', leaked: [] },
    { kind: 'end', outcome: 'interrupted' },
  ])
})

test('a target that dies in the middle fails, with the time at which it died', async () => {
  const shell = shellWith(`
    const now = Math.floor(Date.now() / 5000) * 5
    window(wholes(2), now)
    const alive = async () => { try { await create(); return true } catch { return false } }
    while (await alive()) await new Promise((resolve) => setTimeout(resolve, 20))
    const lost = { iterations: { begun: 1, ended: 1 }, conversations: { begun: 1, refused: 1 }, turned_away: { network: 1 }, errors: { 'create 0 network': 1 } }
    window(lost, now + 10)
    const both = { ...wholes(2), turned_away: { network: 1 }, errors: lost.errors }
    part({ ...both, iterations: { begun: 3, ended: 3 } })`)
  const running = load(shell)
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBeGreaterThan(0)
  await target.stop()
  expect(await running).toBe(1)
  expect(report()).toMatchObject({ verdict: 'fail', exit: 1 })
  expect(report().died_at_s).toBeGreaterThan(0)
  expect(report().reasons[0]).toMatch(/^the target stopped answering \d+ s after the start$/)
})

test('a target that nobody reaches ends with 3, and k6 is not started', async () => {
  const shell = shellWith('throw new Error("k6 ran")')
  await target.stop()
  expect(await load(shell)).toBe(3)
  expect(report()).toMatchObject({ verdict: 'invalid', parts: 0 })
  expect(report().reasons.join()).toMatch(/the target cannot be reached: no reply/)
})

test('a page that cannot be written costs the page alone', async () => {
  const shell = shellWith(
    `require('node:fs').mkdirSync(${JSON.stringify(out)} + '/load.html/x', { recursive: true }); part(wholes(1))`,
  )
  expect(await load(shell)).toBe(0)
  expect(shell.stderr()).toMatch(/load\.html cannot be written: it is a folder/)
  expect(report().verdict).toBe('pass')
  expect(samples().truncated).toBe(false)
})

test('two runs cannot write into one folder', async () => {
  const shell = shellWith('const told = stopped(); await create(); await told')
  const running = load(shell)
  await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBe(1)
  await expect(load(shellWith(''))).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('still going on'),
  })
  shell.interrupt()
  await running
})

test('a session that another client made stays open', async () => {
  const foreign = `await call('POST', '/v1/realtime-avatar/sessions', { model: 'svc-a1-stream', session: { mode: 'text_chat',
    active_avatar_id: 'eve' }, avatars: [{ avatar_id: 'eve' }] })`
  expect(await load(shellWith(`${foreign}; await create(); part(wholes(1))`))).toBe(0)
  await expect.poll(() => target.openSessions(), { interval: 5 }).toBe(1)
  expect(samples().entries.at(-2)).toMatchObject({ kind: 'cleanup', leaked: [], closed: [expect.any(String)] })
})
