import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { runEpoch } from '#trace/clock'
import { memoryTrace } from '#trace/writer'
import { fairDay } from '#testing/faulty-proxy/fault-plan'
import { startFaultyProxy } from '#testing/faulty-proxy/proxy'
import { HANG_MS } from '#testing/hang'
import type { JournalLine } from '../journal/journal-line.ts'
import { beginJournal } from '../journal/journal.ts'
import { deadJournals } from '../journal/journal-state.ts'
import { lock } from '../journal/lock.ts'
import { cleanUp, cleanUpAfter, cleanUpAlone } from './run-cleanup.ts'
import { openRun } from '../run/run-open.ts'
import { beginOf, planRun } from '../plan/run-plan.ts'
import { newFolder } from '#testing/new-folder'

const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

const body = {
  model: 'svc-a1-stream',
  idempotency_key: 'create-dead-1',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'host', visual: { source_images: [] } }],
}

/** A target with two sessions of a run that was killed: one answered, the answer of the other lost. */
async function afterKill() {
  const target = await startTarget()
  stops.push(() => target.stop())
  const folder = newFolder()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, target.ca_pem ?? '')
  const profile = profileOf(target, { caFile })
  const environment = environmentOf(target)
  const plan = planRun({ profile, tier: 'standard', only: [], selected: [] })
  const { signal } = new AbortController()
  const open = openRun({ plan, environment, signal, write: (redactor) => memoryTrace(runEpoch(), redactor) })
  stops.push(() => open.close())
  const create = (idempotency_key: string) =>
    open.client.scope().rest('create-avatar-session', { body: { ...body, idempotency_key } })
  const [known] = [await create('known'), await create('create-dead-1'), await create('of-somebody-else')]
  const id = (known.data as { session_id: string }).session_id
  const intent = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const
  const lines: JournalLine[] = [
    { kind: 'begin', process: { pid: process.pid, start: 'earlier' }, ...beginOf({ ...plan, run: 'dead' }) },
    { kind: 'create', create: 'a', ...intent },
    { kind: 'created', create: 'a', id },
    { kind: 'create', create: 'b', ...intent, idempotency_key: 'create-dead-1', body },
  ]
  const file = join(folder, 'dead.journal')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const dead = () => deadJournals({ folder }, target.base_url)
  return { target, open, environment, file, dead }
}

test('the next run ends what a killed one left, and nothing else', async () => {
  const { target, open, file, dead } = await afterKill()
  expect(target.openSessions()).toBe(3)
  expect(await cleanUpAfter(dead(), open, HANG_MS)).toMatchObject({
    closed: [expect.anything(), expect.anything()],
    leaked: [],
  })
  await expect.poll(() => target.openSessions()).toBe(1)
  expect(existsSync(file)).toBe(false)
})

test('a look whether all is over keeps to what the run may send, and says where it could not', async () => {
  const target = await startTarget()
  stops.push(() => target.stop())
  const folder = newFolder()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, target.ca_pem ?? '')
  const bounded = async (max_requests: number, isLost = false) => {
    const plan = planRun({
      profile: profileOf(target, { caFile }),
      tier: 'standard',
      only: [],
      selected: [],
      max_requests,
    })
    const { signal } = new AbortController()
    const environment = environmentOf(target)
    const open = openRun({ plan, environment, signal, write: (redactor) => memoryTrace(runEpoch(), redactor) })
    const journal = beginJournal(join(folder, `${max_requests}-${isLost}.journal`), beginOf(plan))
    const intent = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const
    const made = await open.client.scope().rest('create-avatar-session', { body })
    journal.intend(intent).created((made.data as { session_id: string }).session_id)
    if (isLost) journal.intend(intent).vague('unclear')
    const { unlooked, closed } = await cleanUp(open, journal, HANG_MS, { bounded: true })
    const { rest_requests } = open.client.traffic()
    await open.close()
    return { unlooked, closed: closed.length, rest_requests, kept: existsSync(journal.file) }
  }
  expect(await bounded(2)).toEqual({ unlooked: true, closed: 1, rest_requests: 2, kept: false })
  expect(await bounded(3)).toEqual({ unlooked: false, closed: 1, rest_requests: 3, kept: false })
  // What a create may have made whose answer was lost is left to a later sweep, which needs the journal.
  expect(await bounded(2, true)).toMatchObject({ unlooked: true, kept: true })
  expect(await bounded(30, true)).toMatchObject({ unlooked: false, kept: false })
})

test('who waits for the end of a run waits for a target that is away for a moment, and not for one that stays away', async () => {
  const target = await startTarget({ tls: false })
  let back = 0
  const proxy = await startFaultyProxy(target.base_url, { ...fairDay, away: () => performance.now() < back })
  stops.push(
    () => proxy.stop(),
    () => target.stop(),
  )
  const awayFor = async (ms: number) => {
    const profile = { ...profileOf(target), base_url: proxy.base_url }
    const plan = planRun({ profile, tier: 'standard', only: [], selected: [] })
    const abort = new AbortController()
    const { signal } = abort
    const environment = environmentOf(target)
    const open = openRun({ plan, environment, signal, write: (redactor) => memoryTrace(runEpoch(), redactor) })
    const journal = beginJournal(join(newFolder(), 'a.journal'), beginOf(plan))
    const intent = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const
    const made = await open.client.scope().rest('create-avatar-session', { body })
    journal.intend(intent).created((made.data as { session_id: string }).session_id)
    const began = performance.now()
    back = began + ms
    // Connections that are kept break at the next glance of the proxy.
    await new Promise((resolve) => void setTimeout(resolve, 100))
    abort.abort()
    const { leaked } = await cleanUp(open, journal, HANG_MS, { hurried: true })
    await open.close()
    return { leaked: leaked.length, soon: performance.now() - began < 15_000 }
  }
  expect(await awayFor(1_300)).toEqual({ leaked: 0, soon: true })
  expect(await awayFor(HANG_MS)).toEqual({ leaked: 1, soon: true })
})

test('a journal and the environment are enough to clean up', async () => {
  const { target, environment, file, dead } = await afterKill()
  const [state] = dead()
  if (state === undefined) throw new Error('no dead journal')
  expect(await cleanUpAlone(state, environment, HANG_MS)).toMatchObject({ leaked: [] })
  await expect.poll(() => target.openSessions()).toBe(1)
  expect(existsSync(file)).toBe(false)
})

test('without the key a journal is kept for another time', async () => {
  const { environment, file, dead } = await afterKill()
  const [state] = dead()
  if (state === undefined) throw new Error('no dead journal')
  const { leaked, again } = await cleanUpAlone(state, {}, HANG_MS)
  const reason = `the key primary has no value; set ${state.begin.keys.primary}`
  expect(leaked.map((one) => one.reason)).toEqual([reason, reason])
  expect(again).toBe(true)
  expect(existsSync(file)).toBe(true)
  expect(await cleanUpAlone(state, environment, HANG_MS)).toMatchObject({ leaked: [] })
})

test('journals with keys of other variables, and those that somebody is at, are left alone', async () => {
  const { target, open, file, dead } = await afterKill()
  const release = lock(file)
  expect(await cleanUpAfter(dead(), open, HANG_MS)).toMatchObject({ closed: [] })
  release?.()
  const variable = open.plan.profile.keys.primary ?? ''
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"${variable}"`, '"ANOTHER"'))
  expect(await cleanUpAfter(dead(), open, HANG_MS)).toMatchObject({ closed: [] })
  expect(target.openSessions()).toBe(3)
})

test('a lock is given once, given back, and taken from the dead', () => {
  const file = join(newFolder(), 'a.journal')
  const release = lock(file)
  expect(lock(file)).toBeUndefined()
  release?.()
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, start: 'earlier' }))
  expect(lock(file)).toBeTypeOf('function')
})
