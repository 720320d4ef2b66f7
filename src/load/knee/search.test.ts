import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KneeMove, type KneeOptions, type KneeRun, nextMove } from './search.ts'

const options: KneeOptions = { start: 1, least: 0.1, most: 10_000, tolerance: 0.1, most_runs: 40 }

type RunOutcome = KneeRun['outcome']

/** Runs the search against a server that says what each run comes to. */
function search(
  server: (rate: number, run: number) => RunOutcome,
  wishes: Partial<KneeOptions> = {},
): { readonly end: Extract<KneeMove, { kind: 'done' }>; readonly runs: readonly KneeRun[] } {
  const wanted = { ...options, ...wishes }
  const runs: KneeRun[] = []
  for (;;) {
    const move = nextMove(wanted, runs)
    if (move.kind === 'done') return { end: move, runs }
    runs.push({ rate: move.rate, outcome: server(move.rate, runs.length) })
  }
}

/** Mean time in an M/M/c system by Erlang's formula; its 99th percentile is close to that of an exponential. */
function p99OfQueue(rate: number, servers: number, service_per_s: number): number {
  const offered = rate / service_per_s
  if (offered >= servers) return Infinity
  let blocking = 1
  for (let place = 1; place <= servers; place += 1) blocking = (offered * blocking) / (place + offered * blocking)
  const waiting = blocking / (1 - (offered / servers) * (1 - blocking))
  const mean = 1 / service_per_s + waiting / (servers * service_per_s - rate)
  return mean * Math.log(100)
}

/** Where a rising function crosses a bound. */
function crossing(of: (rate: number) => number, bound: number): number {
  let [low, high] = [0, 100_000]
  for (let round = 0; round < 80; round += 1) {
    const middle = (low + high) / 2
    if (of(middle) <= bound) low = middle
    else high = middle
  }
  return low
}

test('the knee of a queue with any number of servers is found within 10 %, in few runs', () => {
  const counts: number[] = []
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100 }), (servers, service) => {
      const bound = (4 * Math.log(100)) / service
      const p99 = (rate: number): number => p99OfQueue(rate, servers, service)
      const truth = crossing(p99, bound)
      const start = truth / 20
      const { end, runs } = search((rate) => (p99(rate) <= bound ? 'held' : 'missed'), { start })
      expect(end.why).toBe('found')
      expect(end.knee).toBeLessThanOrEqual(truth * 1.000_001)
      expect(end.knee).toBeGreaterThanOrEqual(truth / 1.1)
      counts.push(runs.length)
    }),
  )
  expect(Math.max(...counts)).toBeLessThanOrEqual(12)
})

test('the knee of a server with a token bucket is found within 10 %', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 5_000, noNaN: true }), (tokens_per_s) => {
      const { end } = search((rate) => (rate <= tokens_per_s ? 'held' : 'missed'))
      expect(end).toMatchObject({ why: 'found' })
      expect(end.knee).toBeLessThanOrEqual(tokens_per_s)
      expect(end.knee).toBeGreaterThanOrEqual(tokens_per_s / 1.1)
    }),
  )
})

test('whatever a server does, the search ends, stays within its bounds and believes only what held twice', () => {
  const outcomes = fc.array(fc.constantFrom<RunOutcome>('held', 'missed', 'invalid'), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(outcomes, fc.double({ min: 0.1, max: 10_000, noNaN: true }), (said, start) => {
      const { end, runs } = search((_, run) => said[run] ?? 'missed', { start })
      expect(runs.length).toBeLessThanOrEqual(options.most_runs)
      for (const { rate } of runs) {
        expect(rate).toBeGreaterThanOrEqual(options.least)
        expect(rate).toBeLessThanOrEqual(options.most)
      }
      if (end.knee === undefined) return
      const at = runs.filter(({ rate }) => rate === end.knee)
      const held = at.filter(({ outcome }) => outcome === 'held').length
      expect(held).toBeGreaterThanOrEqual(2)
      expect(held).toBeGreaterThan(at.filter(({ outcome }) => outcome === 'missed').length)
    }),
  )
})

test('a single miss by chance does not lower the knee', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.double({ min: 2, max: 500, noNaN: true }), (unlucky, truth) => {
      const { end } = search((rate, run) => (rate <= truth && run !== unlucky ? 'held' : 'missed'))
      expect(end.knee).toBeGreaterThanOrEqual(truth / 1.1)
      expect(end.knee).toBeLessThanOrEqual(truth)
    }),
  )
})

test('a single run that holds by chance does not raise it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.double({ min: 2, max: 500, noNaN: true }), (lucky, truth) => {
      const { end } = search((rate, run) => (rate <= truth || run === lucky ? 'held' : 'missed'))
      expect(end.knee).toBeLessThanOrEqual(truth)
      expect(end.knee).toBeGreaterThanOrEqual(truth / 1.1)
    }),
  )
})

test('a server that holds nothing has no knee', () => {
  expect(search(() => 'missed').end).toEqual({ kind: 'done', knee: undefined, why: 'nothing-held' })
})

test('a server that holds everything is told apart from one whose knee was found', () => {
  expect(search(() => 'held', { most: 64 }).end).toEqual({ kind: 'done', knee: 64, why: 'all-held' })
})

test('above what the generator can send nothing is believed', () => {
  const { end } = search((rate) => (rate > 100 ? 'invalid' : 'held'))
  expect(end.why).toBe('generator')
  expect(end.knee).toBeGreaterThanOrEqual(100 / 1.1)
  expect(end.knee).toBeLessThanOrEqual(100)
})

test('one invalid run is made again', () => {
  const { end, runs } = search((rate, run) => (run === 3 ? 'invalid' : rate <= 20 ? 'held' : 'missed'))
  expect(end.why).toBe('found')
  expect(runs[4]?.rate).toBe(runs[3]?.rate)
})

test('a search that may run only a few times says so', () => {
  const { end, runs } = search((rate) => (rate <= 300 ? 'held' : 'missed'), { most_runs: 4 })
  expect(runs).toHaveLength(4)
  expect(end).toEqual({ kind: 'done', knee: undefined, why: 'out-of-runs' })
})
