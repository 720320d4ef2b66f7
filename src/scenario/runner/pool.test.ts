import { expect, test } from 'vitest'
import { Pool } from './pool.ts'
import { createSlots } from './slots.ts'
import type { Scenario } from '../author/scenario.ts'

test('a declared cap is used up and not exceeded', () => {
  const pool = new Pool(2)
  pool.take(1, false)
  expect(pool.admits(1, false)).toBe(true)
  pool.take(1, false)
  expect(pool.admits(1, false)).toBe(false)
  pool.give(1, false)
  expect(pool.admits(1, false)).toBe(true)
})

test('an unknown cap is learned from the first 30006', () => {
  const pool = new Pool()
  for (const id of ['a', 'b']) {
    pool.take(1, false)
    pool.opened(id)
  }
  expect(pool.admits(1, false)).toBe(true)
  pool.full()
  expect(pool.admits(1, false)).toBe(false)
})

test('a session that is closing may still hold its place, so it counts when the cap is learned', () => {
  const pool = new Pool()
  for (const id of ['a', 'b']) {
    pool.take(1, false)
    pool.opened(id)
  }
  pool.closed('a')
  pool.give(1, false)
  pool.full()
  expect(pool.admits(1, false)).toBe(true)
})

test('several at once are admitted beside others only up to what has been seen to fit', () => {
  const pool = new Pool()
  pool.take(1, false)
  expect(pool.admits(2, false)).toBe(false)
  for (const id of ['a', 'b', 'c']) pool.opened(id)
  expect(pool.admits(2, false)).toBe(true)
  pool.give(1, false)
  expect(pool.admits(5, false)).toBe(true)
})

test('long waits leave places for the others', () => {
  const pool = new Pool(3)
  pool.take(1, true)
  expect(pool.admits(1, true)).toBe(true)
  pool.take(1, true)
  expect(pool.admits(1, true)).toBe(false)
  expect(pool.admits(1, false)).toBe(true)
})

test('what a scenario alone could not get is impossible, until more is seen to fit', () => {
  const pool = new Pool()
  pool.opened('a')
  pool.markStarved(1)
  expect([pool.impossible(1), pool.impossible(2)]).toEqual([false, true])
  pool.opened('b')
  expect(pool.impossible(2)).toBe(false)
})

test('a place that the one who waited in vain has held himself comes free when he closes', () => {
  const pool = new Pool()
  pool.opened('a')
  pool.markStarved(1)
  expect(pool.starved).toBe(true)
  pool.closed('a')
  expect(pool.starved).toBe(false)
})

test('waiting in vain while others of ours hold places proves nothing', () => {
  const pool = new Pool()
  pool.opened('own')
  pool.opened('other')
  pool.markStarved(1)
  expect(pool.impossible(2)).toBe(false)
})

test('turns come one after another, in the order of asking', async () => {
  const pool = new Pool()
  const order: number[] = []
  const turn = async (name: number) => {
    const done = await pool.turn()
    order.push(name)
    await Promise.resolve()
    order.push(name)
    done()
  }
  await Promise.all([turn(1), turn(2), turn(3)])
  expect(order).toEqual([1, 1, 2, 2, 3, 3])
})

test('primary and same_workspace share their places', () => {
  const profile = { base_url: '', keys: {}, limits: { primary: { concurrent_sessions: 2 } } }
  const slots = createSlots(profile)
  const both = { price: { requests: {}, sessions: { primary: 2, same_workspace: 1 } } } as unknown as Scenario
  expect(slots.pool('same_workspace')).toBe(slots.pool('primary'))
  expect(slots.pool('capped')).not.toBe(slots.pool('primary'))
  expect(slots.impossible(both)).toBe('3 sessions at once do not fit the workspace of primary')
})
