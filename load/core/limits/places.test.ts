import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostSurelyOpen, type Opened, possiblyHeld } from './places.ts'

const session = fc
  .record({
    id: fc.uuid(),
    sentAt: fc.integer({ min: 0, max: 60 }),
    create: fc.integer({ min: 0, max: 20 }),
    open: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
    cleanup: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  })
  .map(({ id, sentAt, create, open, cleanup }): Opened => {
    const answeredAt = sentAt + create
    const closeSentAt = open === undefined ? undefined : answeredAt + open
    const closedAt = closeSentAt === undefined || cleanup === undefined ? undefined : closeSentAt + cleanup
    return {
      id,
      key: 'primary',
      sentAt,
      answeredAt,
      ...(closeSentAt === undefined ? {} : { closeSentAt }),
      ...(closedAt === undefined ? {} : { closedAt }),
    }
  })

test('the most that were surely open is what a look at every moment finds', () => {
  fc.assert(
    fc.property(fc.array(session, { maxLength: 12 }), (opened) => {
      const moments = opened.map(({ answeredAt }) => answeredAt)
      const openAt = (at: number): number =>
        opened.filter(({ answeredAt, closeSentAt = Infinity }) => answeredAt <= at && at < closeSentAt).length
      expect(mostSurelyOpen(opened).count).toBe(Math.max(0, ...moments.map(openAt)))
    }),
  )
})

test('what is surely open at a refusal may hold a place at it', () => {
  fc.assert(
    fc.property(fc.array(session, { maxLength: 12 }), fc.integer({ min: 0, max: 140 }), (opened, at) => {
      const surely = opened.filter(({ answeredAt, closeSentAt = Infinity }) => answeredAt <= at && at < closeSentAt)
      const refused = { key: 'primary', sentAt: at, answeredAt: at, circumstance: 'climb', alone: true } as const
      const log = { opened, refused: [refused], given: [], unresolved: [] }
      expect(possiblyHeld(log, refused, 0)).toBeGreaterThanOrEqual(surely.length)
    }),
  )
})

test('a session that ended by itself was not surely open', () => {
  const base = { id: 'one', key: 'primary', sentAt: 0, answeredAt: 1 }
  expect(mostSurelyOpen([{ ...base, endedItself: true }]).count).toBe(0)
})
