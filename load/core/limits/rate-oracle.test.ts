import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clockMinute,
  fixedWindow,
  freshLimiter,
  type Limiter,
  onTwoNodes,
  slidingWindow,
  strictSlidingWindow,
  tokenBucket,
} from '../../testing/service/limiters.ts'
import { type RateRequest, waitOf, withSureDates } from './rate-log.ts'
import { isDoubtful, judgeOtherKey, judgeRate } from './rate-oracle.ts'

test('dates of two clocks are no dates to wait by', () => {
  const dated = (sentAt: number, date: string): RateRequest => ({
    key: 'key',
    answer: {
      status: 429,
      code: '10008',
      data: {},
      retryAfter: 'Thu, 01 Jan 1970 00:01:10 GMT',
      date,
      sentAt,
      answeredAt: sentAt + 100,
      ms: 100,
    },
  })
  const one = dated(10_000, 'Thu, 01 Jan 1970 00:00:10 GMT')
  const waits = (other: RateRequest) => withSureDates([one, other]).map(waitOf)
  expect(waits(dated(30_000, 'Thu, 01 Jan 1970 00:00:30 GMT'))).toEqual([60_000, 40_000])
  expect(waits(dated(30_000, 'Thu, 01 Jan 1970 00:00:33 GMT'))).toEqual([undefined, undefined])
  const { key, answer } = dated(30_000, 'Thu, 01 Jan 1970 00:00:33 GMT')
  expect(waits({ key, answer: { ...answer, code: 'no-envelope' } })[0]).toBe(60_000)
})

const MINUTE_MS = 60_000

const kinds: { readonly [kind: string]: () => Limiter } = {
  'fixed window': () => fixedWindow,
  'minutes of the clock': () => clockMinute,
  'sliding window': () => slidingWindow,
  'sliding window that counts refused requests': () => strictSlidingWindow,
  'token bucket': () => tokenBucket,
  'two nodes': () => onTwoNodes(slidingWindow),
}

/** Requests with pauses of anything from nothing to minutes, and with any time on their way. */
const traffic = fc.array(
  fc.record({
    pause: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 0, max: 40 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 8_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) },
    ),
    there: fc.integer({ min: 1, max: 300 }),
    back: fc.integer({ min: 1, max: 300 }),
  }),
  { minLength: 1, maxLength: 120 },
)

function answered(
  steps: typeof traffic extends fc.Arbitrary<infer Value> ? Value : never,
  limiter: Limiter,
  limit: number,
) {
  let now = 5_000_000
  const state = freshLimiter()
  const sent = steps.map(({ pause, there, back }) => ({ sentAt: (now += pause), decidedAt: now + there, back }))
  return sent
    .toSorted((one, other) => one.decidedAt - other.decidedAt)
    .map(({ sentAt, decidedAt, back }): RateRequest => {
      const wait = limiter(state, limit, decidedAt, MINUTE_MS)
      return request(sentAt, decidedAt + back, wait > 0 ? String(Math.ceil(wait / 1_000)) : undefined)
    })
}

function request(sentAt: number, answeredAt: number, retryAfter: string | undefined): RateRequest {
  const refused = retryAfter !== undefined
  return {
    key: 'primary',
    answer: {
      status: refused ? 429 : 200,
      code: refused ? '10008' : '0',
      data: {},
      retryAfter,
      date: undefined,
      sentAt,
      answeredAt,
      ms: answeredAt - sentAt,
    },
  }
}

test.each(Object.entries(kinds))('%s is never accused, whatever is sent', (_, limiterOf) => {
  fc.assert(
    fc.property(traffic, fc.integer({ min: 1, max: 20 }), (steps, limit) => {
      const log = answered(steps, limiterOf(), limit)
      const rulings = judgeRate(log, { limit, minuteMs: MINUTE_MS })
      expect(rulings.filter(({ got }) => got !== undefined)).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('a second key is accused of nothing that it may have brought about itself', () => {
  const refused = request(10, 20, '1')
  const terms = { limit: 3, minuteMs: MINUTE_MS }
  const own = Array.from({ length: 3 }, (_, index) => request(index, index + 1, undefined))
  const broken = (log: readonly RateRequest[]): number =>
    judgeOtherKey([[refused], [refused]], log, terms).filter(({ got }) => got !== undefined).length
  expect(broken([refused])).toBe(1)
  expect(broken([...own, refused])).toBe(0)
})

/** Forty requests of one key, of which the eighth is refused. */
const burstWithRefusal = (from: number): RateRequest[] =>
  Array.from({ length: 40 }, (_, index) =>
    request(from + 5 * index, from + 5 * index + 4, index === 7 ? '3' : undefined),
  )

test('a refusal far below the limit, among many that are let in, is found once it comes in two rounds', () => {
  const terms = { limit: 60, minuteMs: MINUTE_MS }
  const laws = (log: readonly RateRequest[]): readonly string[] =>
    judgeRate(log, terms)
      .filter(({ got }) => got !== undefined)
      .map(({ law }) => law)
  const [first, second] = [burstWithRefusal(1_000_000), burstWithRefusal(1_200_000)]
  expect([laws(first), isDoubtful(first, terms)]).toEqual([[], true])
  // In the same minutes it may be the same accident.
  expect(laws([...first, ...burstWithRefusal(1_001_000)])).toEqual([])
  expect(laws([...first, ...second])).toContain('rate-refused-early')
})
