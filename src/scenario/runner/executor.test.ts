import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'
import type { ExecutorOptions } from './executor.ts'
import { createExecutor } from './executor.ts'
import type { ScenarioOutcome } from './outcome.ts'
import type { Scenario } from '../author/scenario.ts'
import { createSlots } from './slots.ts'

const slots = createSlots({ base_url: '', keys: {} })

type Extra = Partial<Pick<Scenario, 'runs' | 'price' | 'needs' | 'where_strayed'>>

const scenario = (id: string, extra: Extra = {}) =>
  ({ id, proves: [], price: { requests: {} }, drive: () => Promise.resolve(), ...extra }) as Scenario

interface Wishes extends Partial<Pick<ExecutorOptions, 'at_once' | 'limit_ms' | 'again' | 'signal' | 'strayed'>> {
  /** What more is told of how a scenario ended. */
  readonly outcome?: (scenario: { readonly id: string }) => Partial<ScenarioOutcome>
}

/** Runs scenarios that each end when told to, and notes what runs beside what. */
function setUp(scenarios: readonly Scenario[], { outcome, ...limits }: Wishes = {}) {
  const running = new Map<string, () => void>()
  const started: string[] = []
  const executor = createExecutor({
    scenarios,
    slots,
    at_once: 8,
    breaker: createBreaker(slots),
    signal: new AbortController().signal,
    refuse: ({ id }, obstacle) => ({
      scenario: id,
      outcome: 'blocked',
      ...(obstacle && { reason_code: obstacle.code }),
    }),
    runScenario: async ({ id }) => {
      started.push(id)
      await new Promise<void>((resolve) => running.set(id, resolve))
      running.delete(id)
      return { scenario: id, outcome: 'completed', ...outcome?.({ id }) }
    },
    ...limits,
  })
  const finish = async (id: string) => {
    running.get(id)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { executor, started, running: () => [...running.keys()], finish }
}

test('long waits start first and do not count among those side by side', async () => {
  const { executor, running, finish } = setUp([scenario('a'), scenario('b'), scenario('l', { runs: 'long' })], {
    at_once: 1,
  })
  const all = executor.runAll()
  expect(running()).toEqual(['l', 'a'])
  await finish('a')
  expect(running()).toEqual(['l', 'b'])
  await finish('b')
  await finish('l')
  expect((await all).map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed'])
})

const waits = (id: string, seconds: number) => scenario(id, { runs: 'long', price: { requests: {}, waits: seconds } })

test('of the long waits, the longest starts first', async () => {
  const { executor, running, finish } = setUp([waits('short', 10), waits('longest', 40), waits('middle', 30)])
  const all = executor.runAll()
  expect(running()).toEqual(['longest', 'middle', 'short'])
  for (const id of running()) await finish(id)
  await all
})

test('who takes long beside others is begun before them, so that nobody waits for it in the end', async () => {
  const taking = (id: string, seconds: number) => scenario(id, { price: { requests: {}, waits: seconds } })
  const jobs = [scenario('a'), taking('brief', 2), taking('slow', 6), taking('slowest', 9), waits('l', 10)]
  const { executor, started, running, finish } = setUp(jobs, { at_once: 2 })
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['l', 'slowest', 'slow', 'brief', 'a'])
})

test('nothing runs beside one that wants to be alone; last ones come one after another at the end', async () => {
  const names = [
    scenario('last1', { runs: 'last' }),
    scenario('x', { runs: 'alone' }),
    scenario('last2', { runs: 'last' }),
  ]
  const { executor, running, started, finish } = setUp([...names, scenario('a'), scenario('l', { runs: 'long' })])
  const all = executor.runAll()
  expect(running()).toEqual(['l', 'a'])
  for (const id of ['a', 'l', 'x', 'last1', 'last2']) {
    expect(running()).toContain(id)
    await finish(id)
  }
  await all
  expect(started).toEqual(['l', 'a', 'x', 'last1', 'last2'])
})

test('one that exhausts the limit of a key waits for those that need the key, and for no others', async () => {
  const key = { price: { requests: { rate_limited: 1 } } }
  const last = scenario('last', { ...key, runs: 'last' })
  const { executor, running, finish } = setUp([last, scenario('needs', key), scenario('other')])
  const all = executor.runAll()
  expect(running()).toEqual(['needs', 'other'])
  await finish('needs')
  expect(running()).toEqual(['other', 'last'])
  for (const id of running()) await finish(id)
  await all
})

test('a last one waits for keys that it sends by only where a key strayed when the key that it needs strayed', async () => {
  const last = scenario('last', {
    needs: { keys: ['rate_limited'] },
    price: { requests: { rate_limited: 1, same_workspace: 1 } },
    runs: 'last',
    where_strayed: ['same_workspace'],
  })
  const other = scenario('other', { price: { requests: { same_workspace: 1 } } })
  for (const strays of [false, true]) {
    const { executor, running, finish } = setUp([last, other], { strayed: (key) => strays && key === 'rate_limited' })
    const all = executor.runAll()
    expect(running()).toEqual(strays ? ['other'] : ['other', 'last'])
    while (running().length > 0) await finish(running()[0] ?? '')
    await all
  }
})

test('several sessions at once come after single ones, where the cap is unknown', async () => {
  const two = scenario('two', { price: { requests: {}, sessions: { primary: 2 } } })
  const one = scenario('one', { price: { requests: {}, sessions: { primary: 1 } } })
  const { executor, running, finish } = setUp([two, one])
  const all = executor.runAll()
  expect(running()).toEqual(['one'])
  await finish('one')
  await finish('two')
  await all
})

test('each scenario can be waited for by itself, and an unknown one is an error', async () => {
  const { executor, finish } = setUp([scenario('a'), scenario('b')])
  const first = executor.run('a')
  await finish('a')
  expect(await first).toEqual({ scenario: 'a', outcome: 'completed' })
  await expect(executor.run('c')).rejects.toThrow('no scenario c')
  await finish('b')
})

test('when the time of the run is over, nothing more starts', async () => {
  const { executor, started } = setUp([scenario('a'), scenario('b')], { limit_ms: 0 })
  expect((await executor.runAll()).map(({ reason_code }) => reason_code)).toEqual(['budget', 'budget'])
  expect(started).toEqual([])
})

test('a run that cannot go on tells everybody who waits', async () => {
  const executor = createExecutor({
    scenarios: [scenario('a'), scenario('b')],
    slots,
    breaker: createBreaker(slots),
    signal: new AbortController().signal,
    at_once: 1,
    refuse: ({ id }) => ({ scenario: id, outcome: 'interrupted' }),
    runScenario: () => Promise.reject(new Error('the disk is full')),
  })
  await expect(executor.runAll()).rejects.toThrow('the disk is full')
  await expect(executor.run('b')).rejects.toThrow('the disk is full')
})

test('who sends by a key that the last scenario exhausts is begun first, so that the last one need not wait', async () => {
  const by = (id: string, runs: 'last' | undefined) =>
    scenario(id, { price: { requests: { rate_limited: 2 } }, ...(runs === undefined ? {} : { runs }) })
  const jobs = [scenario('a'), scenario('b'), by('sharing', undefined), by('z', 'last')]
  const { executor, started, running, finish } = setUp(jobs, { at_once: 1 })
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['sharing', 'a', 'z', 'b'])
})

test('a scenario that trouble on the way disturbed is driven again, when all others have ended', async () => {
  let drives = 0
  const { executor, started, running, finish } = setUp([scenario('a'), scenario('b')], {
    again: () => true,
    outcome: ({ id }) => (id === 'a' && (drives += 1) === 1 ? { troubles: ['list-voices reset'] } : {}),
  })
  const all = executor.runAll()
  await finish('a')
  expect(running()).toEqual(['b'])
  await finish('b')
  expect(running()).toEqual(['a'])
  await finish('a')
  expect(await all).toEqual(['a', 'b'].map((id) => ({ scenario: id, outcome: 'completed' })))
  expect(started).toEqual(['a', 'b', 'a'])
})

test('what is driven again comes before a last one that exhausts the limit of its key', async () => {
  const key = { price: { requests: { rate_limited: 1 } } }
  const jobs = [scenario('last', { ...key, runs: 'last' }), scenario('sharing', key)]
  let drives = 0
  const { executor, started, running, finish } = setUp(jobs, {
    again: () => true,
    outcome: ({ id }) => (id === 'sharing' && (drives += 1) === 1 ? { troubles: ['x'] } : {}),
  })
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['sharing', 'sharing', 'last'])
})

test('one that is disturbed each time is driven three times, and the last time counts', async () => {
  let time = 0
  const { executor, started, finish } = setUp([scenario('a')], {
    again: () => true,
    outcome: () => ({ troubles: [`trouble ${(time += 1)}`] }),
  })
  const all = executor.runAll()
  for (let turn = 1; turn <= 4; turn += 1) await finish('a')
  expect(await all).toMatchObject([{ scenario: 'a', troubles: ['trouble 3'] }])
  expect(started).toEqual(['a', 'a', 'a'])
})

test('where all of many are disturbed again, it is no transport failure that passes, and none is driven a third time', async () => {
  const names = ['a', 'b', 'c', 'd']
  const { executor, started, running, finish } = setUp(
    names.map((name) => scenario(name)),
    { again: () => true, outcome: () => ({ troubles: ['x'] }) },
  )
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual([...names, ...names])
})

test('where some of many come through, the others are driven a third time', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const drives = new Map<string, number>()
  const { executor, started, running, finish } = setUp(
    names.map((name) => scenario(name)),
    {
      again: () => true,
      outcome: ({ id }) => {
        drives.set(id, (drives.get(id) ?? 0) + 1)
        return id === 'a' && drives.get(id) === 2 ? {} : { troubles: ['x'] }
      },
    },
  )
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started.slice(10)).toEqual(['b', 'c', 'd', 'e'])
})

test('it is not driven again where that is too dear, or the trouble lasts', async () => {
  const { executor, started, finish } = setUp([scenario('a')], {
    again: () => false,
    outcome: () => ({ troubles: ['x'] }),
  })
  const all = executor.runAll()
  await finish('a')
  expect(await all).toMatchObject([{ scenario: 'a', outcome: 'completed' }])
  expect(started).toEqual(['a'])
})

test('what a run that ends meanwhile cannot drive again stays as it was', async () => {
  const ended = new AbortController()
  const { executor, started, finish } = setUp([scenario('a'), scenario('b')], {
    again: () => true,
    outcome: () => ({ troubles: ['x'] }),
    signal: ended.signal,
  })
  const all = executor.runAll()
  await finish('a')
  ended.abort()
  await finish('b')
  expect((await all).map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
  expect(started).toEqual(['a', 'b'])
})
