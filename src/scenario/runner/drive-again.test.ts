import { expect, test } from 'vitest'
import { capacityLacked } from './disturbance.ts'
import { idle, setUp } from '#testing/rigs/executor-rig'

test('a scenario that trouble on the way disturbed is driven again, when all others have ended', async () => {
  let drives = 0
  const { executor, started, running, finish } = setUp([idle('a'), idle('b')], {
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
  const jobs = [idle('last', { ...key, runs: 'last' }), idle('sharing', key)]
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

test('one that is disturbed each time is driven five times, and the last time counts', async () => {
  let time = 0
  const { executor, started, finish } = setUp([idle('a')], {
    again: () => true,
    outcome: () => ({ troubles: [`trouble ${(time += 1)}`] }),
  })
  const all = executor.runAll()
  for (let turn = 1; turn <= 6; turn += 1) await finish('a')
  expect(await all).toMatchObject([{ scenario: 'a', troubles: ['trouble 5'] }])
  expect(started).toEqual(['a', 'a', 'a', 'a', 'a'])
})

test('one for which capacity lacks is driven once more, and not for ever', async () => {
  const { executor, started, running, finish } = setUp([idle('a')], {
    again: () => true,
    outcome: () => ({ outcome: 'blocked', troubles: [capacityLacked] }),
  })
  const all = executor.runAll()
  while (running().length > 0) await finish('a')
  expect(await all).toMatchObject([{ scenario: 'a', outcome: 'blocked' }])
  expect(started).toEqual(['a', 'a'])
})

test('where all of many are disturbed again, it is no transport failure that passes, and none is driven a third time', async () => {
  const names = ['a', 'b', 'c', 'd']
  const { executor, started, running, finish } = setUp(
    names.map((name) => idle(name)),
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
    names.map((name) => idle(name)),
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
  expect(started.length).toBe(14)
})

test('it is not driven again where that is too dear, or the trouble lasts', async () => {
  const { executor, started, finish } = setUp([idle('a')], {
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
  const { executor, started, finish } = setUp([idle('a'), idle('b')], {
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
