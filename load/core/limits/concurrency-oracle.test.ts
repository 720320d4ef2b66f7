import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeCap } from './concurrency-oracle.ts'
import type { Circumstance, Opened, PlaceLog, Refused } from './places.ts'

const circumstances: readonly Circumstance[] = ['climb', 'after-close', 'after-refusals', 'after-repeats', 'second-key']

/** One create: when it is sent, decided and answered; how long its session stays, and how long the close takes. */
const step = fc.record({
  gap: fc.integer({ min: 0, max: 15 }),
  there: fc.integer({ min: 1, max: 20 }),
  back: fc.integer({ min: 1, max: 20 }),
  stays: fc.integer({ min: 1, max: 60 }),
  close: fc.integer({ min: 1, max: 20 }),
  seen: fc.integer({ min: 0, max: 30 }),
  circumstance: fc.constantFrom(...circumstances),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What a correct service with this cap does with them, however long everything takes. */
function served(steps: readonly Step[], cap: number): PlaceLog {
  const opened: (Opened & { readonly freeAt: number; readonly decidedAt: number })[] = []
  const refused: Refused[] = []
  let now = 0
  const arrivals = steps.map((one) => ({ ...one, sentAt: (now += one.gap) }))
  for (const one of arrivals.toSorted((left, right) => left.sentAt + left.there - right.sentAt - right.there)) {
    const decidedAt = one.sentAt + one.there
    const answeredAt = decidedAt + one.back
    const taken = opened.filter(({ freeAt }) => freeAt > decidedAt).length
    if (taken >= cap) {
      const { circumstance, sentAt } = one
      refused.push({ key: 'primary', sentAt, answeredAt, circumstance, alone: true })
      continue
    }
    const closeSentAt = answeredAt + one.stays
    const freeAt = closeSentAt + one.close
    const id = String(opened.length)
    const closedAt = freeAt + one.seen
    opened.push({ id, key: 'primary', sentAt: one.sentAt, answeredAt, closeSentAt, closedAt, freeAt, decidedAt })
  }
  return { opened, refused, given: [], unresolved: [] }
}

test('a correct service is never accused, whatever is under way at the same time', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (steps, cap, known) => {
        const { rulings } = judgeCap(served(steps, cap), { declared: known ? cap : undefined, graceMs: 0 })
        expect(rulings.filter(({ got }) => got !== undefined)).toEqual([])
      },
    ),
    { numRuns: 1_000 },
  )
})

test('where others are in the workspace no refusal counts', () => {
  const opened = [{ id: 'one', key: 'primary', sentAt: 0, answeredAt: 1 }]
  const refusal = { key: 'primary', sentAt: 2, answeredAt: 3, circumstance: 'climb' as const, alone: false }
  const log = { opened, refused: [refusal, { ...refusal, sentAt: 4, answeredAt: 5 }], given: [], unresolved: [] }
  const { found, rulings } = judgeCap(log, { declared: 5, graceMs: 0 })
  expect(found).toBeUndefined()
  expect(rulings).toEqual([])
})

test('a create whose answer was lost may hold the place that another does not get', () => {
  const opened = [
    { id: 'one', key: 'primary', sentAt: 0, answeredAt: 1, closeSentAt: 3, closedAt: 4 },
    { id: 'two', key: 'primary', sentAt: 0, answeredAt: 1 },
  ]
  const climb = { key: 'primary', sentAt: 2, answeredAt: 3, circumstance: 'climb' as const, alone: true }
  const later = { ...climb, sentAt: 50, answeredAt: 51, circumstance: 'after-close' as const }
  const log = { opened, refused: [climb, later], given: [] }
  const terms = { declared: undefined, graceMs: 10 }
  const broken = (unresolved: PlaceLog['unresolved']): string[] =>
    judgeCap({ ...log, unresolved }, terms).rulings.flatMap(({ law, got }) => (got === undefined ? [] : [law]))
  expect(broken([])).toEqual(['place-not-freed'])
  expect(broken([{ sentAt: 40 }])).toEqual([])
})
