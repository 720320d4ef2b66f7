import { expect, test } from 'vitest'
import type { RestCall } from '#client/types'
import type { AnyContext as Context } from '#scenario/author/context'
import { envelope } from '#testing/fake-service'
import { type Pair, suspectsOfWorkspace, tellApart } from './keys-apart.ts'

const limit = 60
const minute = 60_000
/** When the keys are told apart, in milliseconds. */
const begin = 200_000

const pairs: readonly [Pair, Pair] = [
  { quiet: 'same_workspace', busy: 'primary' },
  { quiet: 'primary', busy: 'same_workspace' },
]

type Admit = (times: number[], now: number) => boolean

const sliding: Admit = (times, now) => times.filter((time) => now - time < minute).length < limit
const fixed: Admit = (times, now) =>
  times.filter((time) => Math.floor(time / minute) === Math.floor(now / minute)).length < limit
const bucket: Admit = (times, now) => {
  let [level, last] = [limit, 0]
  for (const time of times) {
    level = Math.min(limit, level + ((time - last) / minute) * limit) - 1
    last = time
  }
  return Math.min(limit, level + ((now - last) / minute) * limit) >= 1
}

/** Runs against keys whose requests are counted like this; `others` uses up a key at the start of a quiet minute's end. */
async function told(
  admit: Admit,
  scope: (key: string) => string,
  others: (wait: number) => string | undefined = () => undefined,
  busyUntil = begin,
) {
  let [now, exchange, waits] = [begin, 0, 0]
  const counts = new Map<string, number[]>()
  const silences = new Map<string, number>()
  const sent: { readonly key: string; readonly at: number }[] = [{ key: 'primary', at: busyUntil }]
  const ask = (key: string): boolean => {
    const times = counts.get(scope(key)) ?? []
    counts.set(scope(key), times)
    now += 5
    const fine = admit(times, now)
    if (fine) times.push(now)
    return fine
  }
  const context = {
    profile: { base_url: '', keys: {} },
    exchange: () => (exchange += 1),
    claim: () => {},
    silences,
    random: () => 0,
    usage: (key: string, ms: number) => ({
      sent: sent.filter((one) => one.key === key && one.at >= now - ms).length,
      silent_ms: now - (sent.findLast((one) => one.key === key)?.at ?? Number.NEGATIVE_INFINITY),
    }),
    wait: async (ms: number) => {
      waited.push(ms)
      now += ms
      waits += 1
      const theirs = others(waits)
      if (theirs !== undefined) for (let count = 0; count < limit; count += 1) ask(theirs)
    },
    call: async (_: string, { key = 'primary' }: RestCall) => {
      sent.push({ key, at: now })
      return envelope(ask(key) ? 0 : 10008)
    },
  }
  const waited: number[] = []
  return { outcome: await tellApart(context as unknown as Context, pairs), waited, silences }
}

const own = (key: string): string => key
const together = (): string => 'all'

test.each([
  ['a sliding window', sliding],
  ['a fixed window', fixed],
  ['a bucket', bucket],
])('one budget for both keys shows twice, and two budgets never: %s', async (_, admit) => {
  expect((await told(admit, together)).outcome).toBe('shared')
  expect((await told(admit, own)).outcome).toBe('free')
})

test('somebody else who uses the quiet key once is not taken for the other key', async () => {
  expect((await told(sliding, own, (wait) => (wait === 1 ? 'same_workspace' : undefined))).outcome).toBe('free')
})

test('nothing is told while the busy key is refused itself', async () => {
  expect((await told(sliding, own, (wait) => (wait === 1 ? 'primary' : undefined))).outcome).toBe('open')
})

test('a minute that other keys were silent for is not waited for again', async () => {
  const after = (busyUntil: number) => told(sliding, together, undefined, busyUntil)
  const [long, short] = [await after(begin), await after(begin - minute)]
  expect([long.outcome, short.outcome]).toEqual(['shared', 'shared'])
  expect(long.waited[0]).toBeGreaterThan(minute)
  expect(short.waited[0]).toBeLessThan(minute / 5)
  expect(short.waited[1]).toBeGreaterThan(minute)
})

test('keys of one workspace are told apart where one was refused without need, but not once a budget was seen to be shared', async () => {
  const suspects = (silences: ReadonlyMap<string, number>) => {
    const usage = () => ({ strayed: true })
    return suspectsOfWorkspace({ profile: { base_url: '', keys: {} }, silences, usage } as unknown as Context)
  }
  const [shared, free] = [await told(sliding, together), await told(sliding, own)]
  expect(suspects(free.silences)).toEqual(pairs)
  expect(suspects(shared.silences)).toBeUndefined()
})
