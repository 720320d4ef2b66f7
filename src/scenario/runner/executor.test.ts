import { expect, test } from 'vitest'
import type { KeyName } from '#spec/profile'
import { type Extra, idle, noKeys, setUp } from '#testing/rigs/executor-rig'
import { createBreaker } from './breaker.ts'
import { createExecutor } from './executor.ts'
import { createSlots } from './slots.ts'

test('long waits start first and do not count among those side by side', async () => {
  const { executor, running, finish } = setUp([idle('a'), idle('b'), idle('l', { runs: 'long' })], {
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

const waits = (id: string, seconds: number) => idle(id, { runs: 'long', price: { requests: {}, waits: seconds } })

test('of the long waits, the longest starts first', async () => {
  const { executor, running, finish } = setUp([waits('short', 10), waits('longest', 40), waits('middle', 30)])
  const all = executor.runAll()
  expect(running()).toEqual(['longest', 'middle', 'short'])
  for (const id of running()) await finish(id)
  await all
})

test('who takes long beside others is begun before them, so that nobody waits for it in the end', async () => {
  const taking = (id: string, seconds: number) => idle(id, { price: { requests: {}, waits: seconds } })
  const jobs = [idle('a'), taking('brief', 2), taking('slow', 6), taking('slowest', 9), waits('l', 10)]
  const { executor, started, running, finish } = setUp(jobs, { at_once: 2 })
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['l', 'slowest', 'slow', 'brief', 'a'])
})

test('once it is enough, what runs goes on to its end and nothing else begins', async () => {
  const enough = new AbortController()
  const { executor, started, finish } = setUp([idle('a'), idle('b'), idle('c')], { at_once: 1, enough: enough.signal })
  const all = executor.runAll()
  enough.abort('left out by --max-failures 1')
  await finish('a')
  expect(started).toEqual(['a'])
  expect((await all).map(({ outcome, reason_code }) => reason_code ?? outcome)).toEqual([
    'completed',
    'budget',
    'budget',
  ])
})

test('nothing runs beside one that wants to be alone; last ones come one after another at the end', async () => {
  const names = [idle('last1', { runs: 'last' }), idle('x', { runs: 'alone' }), idle('last2', { runs: 'last' })]
  const { executor, running, started, finish } = setUp([...names, idle('a'), idle('l', { runs: 'long' })])
  const all = executor.runAll()
  expect(running()).toEqual(['l', 'a'])
  for (const id of ['a', 'l', 'x', 'last1', 'last2']) {
    expect(running()).toContain(id)
    await finish(id)
  }
  await all
  expect(started).toEqual(['l', 'a', 'x', 'last1', 'last2'])
})

const holding = (id: string, key: KeyName, extra: Extra = {}) =>
  idle(id, { price: { requests: {}, sessions: { [key]: 1 } }, ...extra })

test('who holds sessions where others want to be alone is begun before who holds none there', async () => {
  const jobs = [
    idle('none'),
    holding('theirs', 'other_workspace'),
    holding('ours', 'primary'),
    holding('alone', 'primary', { runs: 'alone', price: { requests: { primary: 9 }, sessions: { primary: 1 } } }),
  ]
  const profile = { base_url: '', keys: { primary: 'A', other_workspace: 'C' } }
  const { executor, started, running, finish } = setUp(jobs, { at_once: 1 }, createSlots(profile))
  const all = executor.runAll()
  await finish('ours')
  expect(running()).toEqual(expect.arrayContaining(['alone']))
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started[0]).toBe('ours')
})

test('one that wants to be alone runs beside those that hold no sessions in its workspace', async () => {
  const jobs = [
    holding('ours', 'same_workspace'),
    holding('alone', 'primary', { runs: 'alone' }),
    holding('alone too', 'primary', { runs: 'alone' }),
    holding('theirs', 'other_workspace'),
    idle('none'),
  ]
  const profile = { base_url: '', keys: { primary: 'A', same_workspace: 'B', other_workspace: 'C' } }
  const { executor, running, finish } = setUp(jobs, {}, createSlots(profile))
  const all = executor.runAll()
  expect(running()).toEqual(['ours', 'theirs', 'none'])
  await finish('ours')
  expect(running()).toEqual(['theirs', 'none', 'alone'])
  await finish('alone')
  expect(running()).toEqual(['theirs', 'none', 'alone too'])
  for (const id of running()) await finish(id)
  await all
})

test('nobody begins in a workspace in which one is alone, and one that was disturbed finds its place again', async () => {
  const jobs = [holding('alone', 'primary', { runs: 'alone' }), holding('last', 'primary', { runs: 'last' })]
  let trouble = true
  const { executor, started, running, finish } = setUp(jobs, {
    again: () => true,
    outcome: ({ id }) => (id === 'alone' && trouble ? { troubles: ['reset'] } : {}),
  })
  const all = executor.runAll()
  expect(running()).toEqual(['alone'])
  await finish('alone')
  trouble = false
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['alone', 'alone', 'last'])
})

test('one that exhausts the limit of a key waits for those that need the key, and for no others', async () => {
  const key = { price: { requests: { rate_limited: 1 } } }
  const last = idle('last', { ...key, runs: 'last' })
  const { executor, running, finish } = setUp([last, idle('needs', key), idle('other')])
  const all = executor.runAll()
  expect(running()).toEqual(['needs', 'other'])
  await finish('needs')
  expect(running()).toEqual(['other', 'last'])
  for (const id of running()) await finish(id)
  await all
})

test('a last one waits for keys that it sends by only where a key strayed when the key that it needs strayed', async () => {
  const last = idle('last', {
    needs: { keys: ['rate_limited'] },
    price: { requests: { rate_limited: 1, same_workspace: 1 } },
    runs: 'last',
    where_strayed: ['same_workspace'],
  })
  const other = idle('other', { price: { requests: { same_workspace: 1 } } })
  for (const strays of [false, true]) {
    const { executor, running, finish } = setUp([last, other], { strayed: (key) => strays && key === 'rate_limited' })
    const all = executor.runAll()
    expect(running()).toEqual(strays ? ['other'] : ['other', 'last'])
    while (running().length > 0) await finish(running()[0] ?? '')
    await all
  }
})

test('several sessions at once come after single ones, where the cap is unknown', async () => {
  const two = idle('two', { price: { requests: {}, sessions: { primary: 2 } } })
  const one = idle('one', { price: { requests: {}, sessions: { primary: 1 } } })
  const { executor, running, finish } = setUp([two, one])
  const all = executor.runAll()
  expect(running()).toEqual(['one'])
  await finish('one')
  await finish('two')
  await all
})

test('each scenario can be waited for by itself, and an unknown one is an error', async () => {
  const { executor, finish } = setUp([idle('a'), idle('b')])
  const first = executor.run('a')
  await finish('a')
  expect(await first).toEqual({ scenario: 'a', outcome: 'completed' })
  await expect(executor.run('c')).rejects.toThrow('no scenario c')
  await finish('b')
})

test('when the time of the run is over, nothing more starts', async () => {
  const { executor, started } = setUp([idle('a'), idle('b')], { limit_ms: 0 })
  expect((await executor.runAll()).map(({ reason_code }) => reason_code)).toEqual(['budget', 'budget'])
  expect(started).toEqual([])
})

test('a run that cannot go on tells everybody who waits', async () => {
  const executor = createExecutor({
    scenarios: [idle('a'), idle('b')],
    slots: noKeys,
    breaker: createBreaker(noKeys),
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
    idle(id, { price: { requests: { rate_limited: 2 } }, ...(runs === undefined ? {} : { runs }) })
  const jobs = [idle('a'), idle('b'), by('sharing', undefined), by('z', 'last')]
  const { executor, started, running, finish } = setUp(jobs, { at_once: 1 })
  const all = executor.runAll()
  while (running().length > 0) await finish(running()[0] ?? '')
  await all
  expect(started).toEqual(['sharing', 'a', 'z', 'b'])
})
