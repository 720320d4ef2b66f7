import { expect, test } from 'vitest'
import { createCrowd, type Place } from './crowd.ts'
import { RunAborted } from '../errors.ts'

const operation = 'create-avatar-session'

/** Sends so many at once to a target that works on `lanes` at a time, each for so many milliseconds. */
async function sendAll(count: number, { lanes, each_ms }: { lanes: number; each_ms: number }) {
  let now = 0
  const crowd = createCrowd(10_000, { now: () => now })
  const inside: { readonly place: Place; readonly since: number; left: number }[] = []
  const took: number[] = []
  for (let asker = 0; asker < count; asker += 1) {
    void crowd
      .enter(`${asker}`, operation, undefined)
      .then((place) => inside.push({ place, since: now, left: each_ms }))
  }
  let most = 0
  while (took.length < count) {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    most = Math.max(most, inside.length)
    now += 10
    for (const one of inside.slice(0, lanes)) one.left -= 10
    for (const one of inside.filter(({ left }) => left <= 0)) {
      inside.splice(inside.indexOf(one), 1)
      took.push(now - one.since)
      one.place.leave(true)
    }
  }
  return { most, longest_ms: Math.max(...took), all_ms: now }
}

test('of creates that are carried out one after another, none waits behind others until it seems lost', async () => {
  const { longest_ms, all_ms } = await sendAll(60, { lanes: 1, each_ms: 1_000 })
  expect(longest_ms).toBeLessThan(8_000)
  expect(all_ms).toBe(60_000)
})

test('where the target carries out many at once, many soon are under way', async () => {
  const { most, all_ms } = await sendAll(60, { lanes: 60, each_ms: 100 })
  expect(most).toBeGreaterThan(20)
  expect(all_ms).toBeLessThan(1_000)
})

test('creates that take long beside each other and alone wait for none', async () => {
  const { most } = await sendAll(60, { lanes: 60, each_ms: 5_000 })
  expect(most).toBeGreaterThan(20)
})

test('what one asker sends at the same time is not kept apart', async () => {
  const crowd = createCrowd(10_000, { now: () => 0 })
  const entered: string[] = []
  const enter = (asker: string): Promise<Place> => {
    const place = crowd.enter(asker, operation, undefined)
    void place.then(() => entered.push(asker))
    return place
  }
  const first = await enter('first')
  for (let asker = 0; asker < 5; asker += 1) await enter('others')
  void enter('late')
  void enter('late')
  await enter('others')
  expect(entered).not.toContain('late')
  first.leave(true)
  await enter('others')
  expect(entered).not.toContain('late')
})

test('an abort ends the wait, and keeps no place from others', async () => {
  const crowd = createCrowd(10_000, { now: () => 0 })
  const places = await Promise.all(
    Array.from({ length: 6 }, (_, asker) => crowd.enter(`${asker}`, operation, undefined)),
  )
  const controller = new AbortController()
  const given = crowd.enter('given up', operation, controller.signal)
  const next = crowd.enter('next', operation, undefined)
  controller.abort()
  await expect(given).rejects.toThrow(RunAborted)
  places[0]?.leave(true)
  ;(await next).leave(true)
})
