import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from './random.ts'
import type { Refusal } from './refusal.ts'
import { backOff, createPolicy, type Decision, decide, earn, newBudget, spend } from './retry.ts'

const now = Date.UTC(2026, 10, 23, 12, 0, 0)
const date = new Date(now).toUTCString()

interface Asked {
  readonly refusal?: Refusal
  readonly attempts?: number
  readonly retryAfter?: string
  readonly random?: number
}

function decided({ refusal = 'rate', attempts = 1, retryAfter, random = 0.5 }: Asked): Decision {
  return decide({ refusal, attempts, retryAfter, date, now }, random)
}

/** What services write into `Retry-After`, and how long that asks to wait; undefined for nothing. */
const headers = fc.oneof(
  fc.integer({ min: 0, max: 90 }).map((seconds) => ({ value: String(seconds), ms: seconds * 1_000 })),
  fc.integer({ min: -60, max: 90 }).map((seconds) => ({
    value: new Date(now + seconds * 1_000).toUTCString(),
    ms: Math.max(0, seconds * 1_000),
  })),
  fc.constantFrom({ value: '0', ms: 0 }, { value: 'soon', ms: undefined }, { value: undefined, ms: undefined }),
)

test('of 10,000 retries none is earlier than asked, and none later than the jitter says', () => {
  let asked = 0
  fc.assert(
    fc.property(
      headers,
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (header, attempts, random) => {
        const retryAfter = header.value === undefined ? {} : { retryAfter: header.value }
        const { wait_ms, why } = decided({ attempts, random, ...retryAfter })
        if (header.ms === undefined) expect(why).toBe('backed-off')
        else {
          asked += 1
          expect(why).toBe('as-asked')
          expect(wait_ms).toBeGreaterThanOrEqual(header.ms)
          expect(wait_ms).toBeLessThanOrEqual(header.ms + 500)
        }
      },
    ),
    { numRuns: 10_000 },
  )
  expect(asked).toBeGreaterThan(5_000)
})

test.each<[Refusal, string | undefined]>([
  ['capacity', undefined],
  ['concurrency', undefined],
  ['rate', '3'],
])('10,000 clients refused at once (%s, Retry-After %s) come back evenly', (refusal, retryAfter) => {
  const random = seeded(`crowd ${refusal}`)
  const asked = retryAfter === undefined ? 0 : Number(retryAfter) * 1_000
  const span = retryAfter === undefined ? (createPolicy()[refusal]?.first_ms ?? 0) * 4 : 500
  const waits = Array.from({ length: 10_000 }, () => {
    const header = retryAfter === undefined ? {} : { retryAfter }
    return (decided({ refusal, attempts: 3, random: random(), ...header }).wait_ms ?? 0) - asked
  })
  const bins = new Map<number, number>()
  for (const wait of waits) bins.set(Math.floor(wait / 100), (bins.get(Math.floor(wait / 100)) ?? 0) + 1)
  const uniform = 10_000 / (span / 100)
  expect(Math.max(...bins.values())).toBeLessThanOrEqual(2 * uniform)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0)
})

test.each([
  ['network', 5],
  ['server', 5],
  ['capacity', 5],
  ['throttled', 3],
] as const)('%s passes: %d more attempts, with full jitter that doubles', (refusal, more) => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempts) => decided({ refusal, attempts, random: 1 }).wait_ms)
  expect(waits.slice(0, more)).toEqual([400, 800, 1_600, 3_200, 6_400].slice(0, more))
  expect(waits[more]).toBeUndefined()
  expect(decided({ refusal, random: 0.25 }).wait_ms).toBe(100)
})

test('what is final is not tried again, whatever the header says', () => {
  expect(decided({ refusal: 'final', retryAfter: '1' })).toEqual({ wait_ms: undefined, why: 'given-up' })
})

test('who is asked to wait too long gives up rather than coming early', () => {
  expect(decided({ retryAfter: '3600' })).toEqual({ wait_ms: undefined, why: 'given-up' })
})

test('back-off doubles up to its cap', () => {
  const patience = { attempts: 99, first_ms: 100, cap_ms: 1_000, longest_ms: 1_000 }
  expect([1, 2, 3, 4, 5, 50].map((attempts) => backOff(patience, attempts, 1))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ])
})

test('retries cost at most a fifth of what goes without, after a reserve of five', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (wishes) => {
      const budget = newBudget()
      let [first, retried] = [0, 0]
      for (const wish of wishes) {
        if (wish) retried += spend(budget) ? 1 : 0
        else {
          earn(budget)
          first += 1
        }
        expect(retried).toBeLessThanOrEqual(5 + first / 5 + 1e-9)
      }
    }),
  )
})
