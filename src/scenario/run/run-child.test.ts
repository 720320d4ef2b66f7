import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Profile } from '#spec/profile'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { readTrace } from '#trace/reader'
import { openTrace } from '#trace/writer'
import { loadScenarios } from '../plan/catalogue.ts'
import { readJournal } from '../journal/journal-state.ts'
import { beginJournal } from '../journal/journal.ts'
import { isAlive } from '../journal/process-mark.ts'
import { type ChildEnd, type ChildSetup, type ChildTask, startChild } from './run-child.ts'
import type { ProgressLine } from './run-part.ts'
import { openRun } from './run-open.ts'
import { beginOf, headerOf, planRun } from '../plan/run-plan.ts'
import { preflight } from './run-preflight.ts'
import { HANG_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'

const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

const body = `{
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'host', visual: { source_images: [] } }],
}`

const price = '{ requests: { primary: 2 }, sessions: { primary: 1 } }'
const good = (id: string) => `{ id: '${id}', proves: [], price: ${price}, drive: async (context) => {
  await context.connect(await context.create(${body}))
} }`

const lasts = `{ id: 'part.lasts', proves: [], price: ${price}, drive: async (context) => {
  await context.create(${body})
  await context.wait(1000, 'timer')
} }`

const endless = `{ id: 'part.endless', proves: [], price: ${price}, drive: async (context) => {
  await context.create(${body})
  for (;;) {
    await context.call('list-avatar-sessions')
    await context.wait(200, 'timer')
  }
} }`

const hangs = `{ id: 'part.hangs', proves: [], price: ${price}, drive: async (context) => {
  await context.create(${body})
  await context.wait(600000, 'timer')
} }`

const keyless = `{ id: 'part.keyless', proves: [], price: ${price}, drive: async (context) => {
  await context.attempt(${body})
} }`

const runChild = ({ setup, task }: { setup: ChildSetup; task: ChildTask }): Promise<ChildEnd> =>
  startChild(setup).run(task)

/** A run that has begun, with its preflight done, whose scenarios are given as source text. */
async function begun(...scenarios: readonly string[]) {
  // Every create takes a quarter of a second.
  const target = await startTarget({ variations: ['allocation-slow'] })
  stops.push(() => target.stop())
  const folder = newFolder()
  const [trace, journal, caFile] = [
    join(folder, 't.ndjson'),
    join(folder, 'j.journal'),
    join(folder, 'ca.pem'),
  ] as const
  writeFileSync(caFile, target.ca_pem ?? '')
  mkdirSync(join(folder, 'suites', 'part'), { recursive: true })
  writeFileSync(join(folder, 'suites', 'part', 'scenarios.ts'), `export const scenarios = [${scenarios.join(',\n')}]`)
  // A configuration of the user must not be read.
  writeFileSync(join(folder, 'vitest.config.ts'), 'throw new Error("read")')
  const suites = `${pathToFileURL(join(folder, 'suites')).href}/`
  const selected = await loadScenarios(suites)
  const profile: Profile = profileOf(target, { caFile })
  const environment = { ...process.env, ...environmentOf(target) }
  const plan = planRun({ profile, tier: 'standard', only: [], selected, seed: 1 })
  const { signal } = new AbortController()
  const open = openRun({ plan, environment, signal, write: (redactor) => openTrace(trace, plan.epoch, redactor) })
  open.trace.write(headerOf(plan, { selected, skipped: [] }, environment))
  expect(await preflight(open.client.scope())).toEqual({ kind: 'ok' })
  await open.close()
  beginJournal(journal, beginOf(plan)).close()
  const lines: ProgressLine[] = []
  const task: ChildTask = { plan, trace, journal, environment, signal, onProgress: (line) => lines.push(line) }
  return {
    target,
    options: { task, setup: { suites, environment } },
    lines,
    entries: () => readTrace(trace).entries,
    journal: () => readJournal(journal),
  }
}

test('a child runs each scenario as a test, goes on with the trace, and tells how far it is', async () => {
  const { options, lines, entries, journal } = await begun(good('part.one'), good('part.two'))
  expect(await runChild(options)).toEqual({ fine: true, complaint: '' })
  const ends = entries().filter((entry) => entry.kind === 'scenario-end')
  expect(Object.fromEntries(ends.map(({ scenario, outcome }) => [scenario, outcome]))).toEqual({
    'part.one': 'completed',
    'part.two': 'completed',
  })
  expect(lines.map(({ state }) => state).toSorted()).toEqual(['completed', 'completed', 'started', 'started'])
  expect(lines.at(-1)?.requests).toBe(4)
  expect(journal()).toMatchObject({ open: [], lost: [] })
  const exchanges = entries().flatMap((entry) => (entry.kind === 'request' ? [entry.exchange] : []))
  expect(new Set(exchanges).size).toBe(exchanges.length)
})

test('once it is enough, a child breaks off what runs, ends what it made, and says why of all', async () => {
  const { options, lines, entries, journal } = await begun(lasts, good('part.two'))
  const enough = new AbortController()
  const onProgress = (line: ProgressLine): void => {
    lines.push(line)
    enough.abort('left out by --max-failures 1')
  }
  const plan = { ...options.task.plan, at_once: 1 }
  const task = { ...options.task, plan, onProgress, enough: enough.signal }
  expect(await runChild({ ...options, task })).toEqual({ fine: true, complaint: '' })
  const ends = entries().filter((entry) => entry.kind === 'scenario-end')
  const told = new Map(ends.map(({ scenario, ...end }) => [scenario, end]))
  const left = { outcome: 'blocked', reason_code: 'budget', reason: 'left out by --max-failures 1' }
  expect([told.get('part.lasts'), told.get('part.two')]).toMatchObject([left, left])
  expect(journal()).toMatchObject({ open: [], lost: [] })
})

test('once the time of a run is over, a child breaks off what runs and ends what it made, as long as there is time for that', async () => {
  const { options, entries, journal } = await begun(endless, good('part.two'))
  const plan = { ...options.task.plan, at_once: 1, run_ms: 9_000 }
  expect(await runChild({ ...options, task: { ...options.task, plan } })).toEqual({ fine: true, complaint: '' })
  const told = new Map(
    entries().flatMap((entry) => (entry.kind === 'scenario-end' ? [[entry.scenario, entry] as const] : [])),
  )
  const left = { outcome: 'blocked', reason_code: 'budget', reason: 'left out by --within 9s: the time was over' }
  expect([told.get('part.endless'), told.get('part.two')]).toMatchObject([left, left])
  expect(journal()).toMatchObject({ open: [], lost: [] })
})

test('only a mistake of ours makes the child fail; it tells no secret', async () => {
  const blocked = `{ id: 'part.blocked', proves: [], price: ${price}, drive: async (context) => {
    context.block('quota', 'full')
  } }`
  const mistaken = `{ id: 'part.mistaken', proves: [], price: ${price}, drive: async (context) => {
    throw new TypeError('key ' + process.env[context.profile.keys.primary])
  } }`
  const { target, options, entries } = await begun(blocked, mistaken)
  const { fine, complaint } = await runChild(options)
  expect(fine).toBe(false)
  expect(complaint).toMatch(/^part\.mistaken: TypeError: key \[api_key primary\]/)
  expect(JSON.stringify(entries())).not.toContain(target.keys.primary)
  expect(entries().filter((entry) => entry.kind === 'harness-error')).toHaveLength(1)
  const told = entries().find((entry) => entry.kind === 'scenario-end' && entry.outcome === 'blocked')
  expect(told).toMatchObject({ reason: 'full' })
})

test('a suite that does not load makes the child fail', async () => {
  const { options } = await begun(good('part.one'))
  const task = { ...options.task, plan: { ...options.task.plan, scenarios: ['part.gone'] } }
  expect(await runChild({ ...options, task })).toMatchObject({
    fine: false,
    complaint: expect.stringContaining('part.gone'),
  })
})

test('a child whose run is interrupted leaves a journal that says what is open', async () => {
  const { target, options, journal } = await begun(hangs)
  const abort = new AbortController()
  const end = runChild({ ...options, task: { ...options.task, signal: abort.signal } })
  await expect.poll(() => target.openSessions(), { timeout: HANG_MS }).toBe(1)
  await expect.poll(() => journal()?.open.length).toBe(1)
  abort.abort()
  expect(await end).toEqual({ fine: false, complaint: '' })
  expect(journal()?.open).toHaveLength(1)
})

test('a child whose run is interrupted still hears what a create without an idempotency key made, and records no more', async () => {
  const { options, entries, journal } = await begun(keyless)
  const abort = new AbortController()
  const end = runChild({ ...options, task: { ...options.task, signal: abort.signal } })
  const asked = () => entries().some((entry) => entry.kind === 'request' && entry.operation === 'create-avatar-session')
  await expect.poll(asked, { timeout: HANG_MS, interval: 10 }).toBe(true)
  abort.abort()
  await end
  expect(journal()).toMatchObject({ open: [expect.anything()], lost: [] })
  expect(entries().some(({ kind }) => kind === 'scenario-end')).toBe(false)
})

test('a child ends when the process that started it is killed', async () => {
  const { target, options, journal } = await begun(hangs)
  const { signal: _, onProgress: __, environment, ...part } = options.task
  const module = JSON.stringify(new URL('run-child.ts', import.meta.url).href)
  const source = `const { startChild } = await import(${module})
    const { suites, part } = JSON.parse(process.env.PART)
    await startChild({ suites }).run({ ...part, environment: process.env, signal: new AbortController().signal })`
  const env = { ...environment, PART: JSON.stringify({ suites: options.setup.suites, part }) }
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], { env, stdio: 'ignore' })
  await expect.poll(() => target.openSessions(), { timeout: HANG_MS }).toBe(1)
  parent.kill('SIGKILL')
  const [, worker] = journal()?.processes ?? []
  if (worker === undefined) throw new Error('the child did not join the journal')
  await expect.poll(() => isAlive(worker), { timeout: HANG_MS }).toBe(false)
  // Its answer may not have got as far as the journal.
  expect([...(journal()?.open ?? []), ...(journal()?.lost ?? [])]).toHaveLength(1)
})

test('a child that is not needed after all is gone when it is stopped', async () => {
  const child = startChild()
  child.stop()
  const { options } = await begun(good('part.one'))
  expect(await child.run(options.task)).toEqual({ fine: false, complaint: '' })
})
