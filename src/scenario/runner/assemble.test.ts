import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FakeService } from '#testing/fake-service'
import { envelope, fakeService, silence } from '#testing/fake-service'
import { HANG_MS } from '#testing/hang'
import type { Draft } from '#trace/writer'
import type { AssembleOptions } from './assemble.ts'
import { assemble } from './assemble.ts'
import type { Context } from '../author/context.ts'
import { readJournal } from '../journal/journal-state.ts'
import { beginJournal } from '../journal/journal.ts'
import type { Scenario } from '../author/scenario.ts'
import { newFolder } from '#testing/new-folder'

const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } } as const

function scenario(id: string, drive: (context: Context) => Promise<unknown>, extra: Partial<Scenario> = {}): Scenario {
  const price = { requests: { primary: 3 }, sessions: { primary: 1 } }
  return { id, proves: [], price, ...extra, drive: async (context) => void (await drive(context)) }
}

const usesOne = (id: string, extra?: Partial<Scenario>) =>
  scenario(id, (context) => context.create({ model: 'svc-a1-stream' }), extra)

const usesTwo = (id: string) =>
  scenario(id, async (context) => [await context.create({}), await context.create({})], {
    price: { requests: { primary: 4 }, sessions: { primary: 2 } },
  })

function setUp(service: FakeService, scenarios: readonly Scenario[], extra: Partial<AssembleOptions> = {}) {
  const file = join(newFolder(), 'run.journal')
  const entries: Draft[] = []
  const executor = assemble({
    scenarios,
    run: 'r1',
    seed: 1,
    tier: 'standard',
    profile,
    keys: ['primary'],
    signal: new AbortController().signal,
    client: service,
    redact: (text) => text,
    journal: beginJournal(file, { run: 'r1', ...profile }),
    trace: { write: (draft) => ({ line: entries.push(draft), t: 0 }) },
    quota_ms: HANG_MS,
    ...extra,
  })
  return { executor, entries, journal: () => readJournal(file) }
}

const outcomes = (list: readonly { scenario: string; outcome: string; reason_code?: string }[]) =>
  Object.fromEntries(list.map((one) => [one.scenario, one.reason_code ?? one.outcome]))

test('what a scenario left open is closed at its end, also when it threw', async () => {
  const service = fakeService()
  const { executor, entries, journal } = setUp(service, [
    usesOne('a.good'),
    scenario('a.bad', async (context) => {
      await context.create({})
      throw new TypeError('a mistake')
    }),
  ])
  expect(outcomes(await executor.runAll())).toEqual({ 'a.good': 'completed', 'a.bad': 'failed' })
  expect(service.open.size).toBe(0)
  expect(journal()).toMatchObject({ open: [], lost: [] })
  const mistakes = entries.filter((entry) => entry.kind === 'harness-error')
  expect(mistakes).toMatchObject([
    { scenario: 'a.bad', message: expect.stringMatching(/^TypeError: a mistake \(src\/scenario/) },
  ])
})

test('a session that the scenario closed is not closed again', async () => {
  const service = fakeService()
  const { executor } = setUp(service, [
    scenario('a.closes', async (context) => {
      const session = await context.create({})
      await context.close(session)
      await context.closed(session)
    }),
  ])
  await executor.runAll()
  expect(service.calls.map(({ operation }) => operation)).toEqual([
    'create-avatar-session',
    'close-avatar-session',
    'get-avatar-session',
  ])
})

test('a refusal by another workspace does not count as an end', async () => {
  const service = fakeService()
  service.intercept = (_, call) => (call.key === 'other_workspace' ? envelope(20005) : undefined)
  const { executor, journal } = setUp(service, [
    scenario('a.other-workspace', async (context) =>
      context.close(await context.create({}), { key: 'other_workspace' }),
    ),
  ])
  await executor.runAll()
  expect(service.open.size).toBe(0)
  expect(journal()?.open).toEqual([])
})

test('the intent is on disk before the create is sent', async () => {
  const service = fakeService()
  const seen: unknown[] = []
  const set = setUp(service, [usesOne('a.one')])
  service.intercept = (operation) => {
    if (operation === 'create-avatar-session') seen.push(...(set.journal()?.lost ?? []))
    return undefined
  }
  await set.executor.runAll()
  expect(seen).toMatchObject([{ operation: 'create-avatar-session', key: 'primary', idempotency_key: 'create-r1-1' }])
})

test.each([1, 2])('a cap of %i that nobody declared serves everybody', async (cap) => {
  const service = fakeService(cap)
  const { executor } = setUp(
    service,
    Array.from({ length: 8 }, (_, index) => usesOne(`a.n${index}`)),
  )
  const ended = await executor.runAll()
  expect(ended.filter(({ outcome }) => outcome !== 'completed')).toEqual([])
  expect(service.most).toBe(cap)
})

test('scenarios that hold two sessions do not wait for each other', async () => {
  const service = fakeService(2)
  const { executor } = setUp(service, [usesTwo('a.x'), usesTwo('a.y'), usesOne('a.z'), usesTwo('a.w')])
  expect(new Set((await executor.runAll()).map(({ outcome }) => outcome))).toEqual(new Set(['completed']))
})

test('a scenario that needs more than a declared cap is left out for that and sends nothing', async () => {
  const service = fakeService()
  const three = usesOne('a.three', { price: { requests: {}, sessions: { primary: 3 } } })
  const declared = { ...profile, limits: { primary: { concurrent_sessions: 2 } } }
  const { executor } = setUp(service, [three], { profile: declared })
  expect(outcomes(await executor.runAll())).toEqual({ 'a.three': 'model_choice' })
  expect(service.calls).toEqual([])
})

test('a place that others free in time is taken with the same idempotency key', async () => {
  const service = fakeService(0)
  service.intercept = () => {
    if (service.calls.length === 3) service.cap = 1
    return undefined
  }
  const { executor } = setUp(service, [usesOne('a.patient')])
  expect(outcomes(await executor.runAll())).toEqual({ 'a.patient': 'completed' })
  const keys = service.calls.flatMap(
    ({ call }) => (call.body as { idempotency_key?: string } | undefined)?.idempotency_key ?? [],
  )
  expect(new Set(keys).size).toBe(1)
})

test('a service that fails inside now and then is asked again with the same key', async () => {
  const service = fakeService()
  service.intercept = () => (service.calls.length < 3 ? envelope(50000, {}, 500) : undefined)
  const { executor } = setUp(service, [usesOne('a.retries')])
  expect(outcomes(await executor.runAll())).toEqual({ 'a.retries': 'completed' })
})

test('a workspace that has room for one only leaves out what needs two, after one wait in vain', async () => {
  const service = fakeService(1)
  const { executor } = setUp(service, [usesTwo('a.x'), usesTwo('a.y'), usesOne('a.z')], { quota_ms: 200 })
  const ended = outcomes(await executor.runAll())
  expect(ended).toEqual({ 'a.x': 'model_choice', 'a.y': 'model_choice', 'a.z': 'completed' })
  expect(service.calls.filter(({ scenario: name }) => name === 'a.y')).toEqual([])
})

test('a workspace that stays full blocks by quota in bounded time', async () => {
  const { executor } = setUp(
    fakeService(0),
    Array.from({ length: 30 }, (_, index) => usesOne(`a.n${index}`)),
    { quota_ms: 200 },
  )
  expect(new Set((await executor.runAll()).map(({ reason_code }) => reason_code))).toEqual(new Set(['quota']))
})

test('who waits for a place in a full workspace asks every five seconds, for as long as it waits', async ({
  onTestFinished,
}) => {
  const service = fakeService(0)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => service.waits.reduce((sum, ms) => sum + ms, 0))
  onTestFinished(() => clock.mockRestore())
  const { executor } = setUp(service, [usesOne('a.one')], { quota_ms: 60_000 })
  expect(outcomes(await executor.runAll())).toEqual({ 'a.one': 'quota' })
  expect(service.waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
  expect(service.waits.length).toBeGreaterThan(10)
  expect(new Set(service.waits.slice(4))).toEqual(new Set([5_000]))
})

test('the same refusal of every session ends the run early', async () => {
  const service = fakeService()
  service.intercept = () => envelope(10003)
  const { executor } = setUp(service, [
    ...Array.from({ length: 40 }, (_, index) => usesOne(`a.n${index}`)),
    scenario('b.without', (context) => context.call('list-voices'), { price: { requests: { primary: 1 } } }),
  ])
  const ended = outcomes(await executor.runAll())
  expect(ended['a.n39']).toBe('prerequisite')
  expect(ended['b.without']).toBe('completed')
  expect(service.calls.length).toBeLessThan(15)
})

test('odd creates that are refused do not take the sessions from the others', async () => {
  const service = fakeService()
  service.intercept = (_, call) =>
    (call.body as { odd?: boolean } | undefined)?.odd === true ? envelope(30004) : undefined
  const odd = [1, 2, 3, 4].map((n) => scenario(`a.odd${n}`, (context) => context.create({ odd: true })))
  const { executor } = setUp(service, [...odd, ...[1, 2, 3, 4, 5].map((n) => usesOne(`a.good${n}`))])
  const ended = outcomes(await executor.runAll())
  expect(ended).toMatchObject({ 'a.odd4': 'prerequisite', 'a.good1': 'completed', 'a.good5': 'completed' })
})

test('a session got by another way shows that the workspace gives some', async () => {
  const service = fakeService()
  service.intercept = (_, call) => (JSON.stringify(call.body)?.includes('odd') ? envelope(30004) : undefined)
  const odd = Array.from({ length: 12 }, (_, n) => scenario(`a.odd${n}`, (context) => context.create({ odd: true })))
  const other = scenario('a.attempts', async (context) => context.adopt(await context.attempt({})))
  const { executor } = setUp(service, [other, ...odd, usesOne('a.good')])
  expect(outcomes(await executor.runAll())).toMatchObject({ 'a.attempts': 'completed', 'a.good': 'completed' })
})

test('silence ends the run early', async () => {
  const service = fakeService()
  service.intercept = () => silence()
  const { executor } = setUp(
    service,
    Array.from({ length: 40 }, (_, index) => usesOne(`a.n${index}`)),
  )
  expect(new Set((await executor.runAll()).map(({ reason_code }) => reason_code))).toEqual(new Set(['network']))
  expect(service.calls.length).toBeLessThan(15)
})

test('an abort interrupts what runs and what waits', async () => {
  const abort = new AbortController()
  const service = fakeService()
  const hang = scenario('a.hangs', async (context) => {
    abort.abort()
    await context.wait(1, 'timer')
  })
  const { executor } = setUp(service, [hang, usesOne('a.next', { runs: 'last' })], { signal: abort.signal })
  expect(outcomes(await executor.runAll())).toEqual({ 'a.hangs': 'interrupted', 'a.next': 'interrupted' })
})

test('a scenario that never stops is ended, and sends nothing afterwards', async () => {
  const service = fakeService()
  const endless = scenario('a.endless', async (context) => {
    for (;;) await context.call('list-voices')
  })
  const { executor } = setUp(service, [endless], { limit_ms: 30 })
  expect(outcomes(await executor.runAll())).toEqual({ 'a.endless': 'budget' })
  const sent = service.calls.length
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(service.calls.length - sent).toBeLessThanOrEqual(1)
})

async function drawnBeside(others: readonly Scenario[]): Promise<number[]> {
  const drawn: number[] = []
  const draws = scenario('a.draws', async (context) => {
    for (let round = 0; round < 3; round += 1) drawn.push(context.random(1000))
  })
  await setUp(fakeService(), [...others, draws]).executor.runAll()
  return drawn
}

test('the same seed draws the same numbers for a scenario, whatever else runs', async () => {
  expect(await drawnBeside([usesOne('a.other')])).toEqual(await drawnBeside([]))
})

test('what is driven again leaves the requests that others still need, and the cheapest come first', async () => {
  const service = fakeService()
  service.intercept = () => ({ trouble: 'list-voices reset' })
  const looks = (id: string, extra?: Partial<Scenario>) => scenario(id, (context) => context.call('list-voices'), extra)
  const started: string[] = []
  const dear = looks('a.dear', { price: { requests: { primary: 6 } } })
  const { executor } = setUp(service, [dear, looks('a.cheap'), looks('a.last', { runs: 'last' })], {
    foretold: { sent: () => 3 * started.length, most: 15 },
    onStart: ({ id }) => void started.push(id),
  })
  await executor.runAll()
  expect(started).toEqual(['a.dear', 'a.cheap', 'a.cheap', 'a.cheap', 'a.last'])
})

test('where requests are sent more than once, what others still need is more than was foretold of them', async () => {
  const started = async (each: number): Promise<readonly string[]> => {
    const service = fakeService()
    service.intercept = () => ({ trouble: 'list-voices reset' })
    const looks = (id: string, requests: number, extra?: Partial<Scenario>) =>
      scenario(id, (context) => context.call('list-voices'), { price: { requests: { primary: requests } }, ...extra })
    const ids: string[] = []
    const { executor } = setUp(service, [looks('a.one', 4), looks('a.last', 6, { runs: 'last' })], {
      foretold: { sent: () => each * ids.length, most: 16 },
      onStart: ({ id }) => void ids.push(id),
    })
    await executor.runAll()
    return ids
  }
  expect(await started(4)).toEqual(['a.one', 'a.one', 'a.last'])
  expect(await started(5)).toEqual(['a.one', 'a.last', 'a.last'])
})
