import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { advance, type Move, optionsOf, pairs, type Roster, tour } from './moves.ts'

const start: Roster = { threads: [], room: 3 }

/** What comes of a move when all goes well. */
function happily(roster: Roster, move: Move): Roster {
  return advance(roster, move, move.does.startsWith('create') || move.does === 'repeat' ? { made: true } : {})
}

const walk = { pairs, options: optionsOf, advance: happily, start }

test('something can be done, whatever the state', () => {
  const thread = fc.constantFrom('unmade' as const, 'open' as const, 'closed' as const)
  const rosters = fc.record({ threads: fc.array(thread, { maxLength: 8 }), room: fc.integer({ min: 1, max: 3 }) })
  fc.assert(fc.property(rosters, (roster) => optionsOf(roster).length > 0))
})

test('no walk holds more sessions open than there is room for', async () => {
  for (const room of [1, 2, 3]) {
    const open: number[] = []
    const seen = (roster: Roster, move: Move): Roster => {
      const next = happily(roster, move)
      open.push(next.threads.filter((one) => one === 'open').length)
      return next
    }
    await foresee({ ...walk, advance: seen, start: { threads: [], room } }, { plans: drawPlans(1, 5, 60), budget: 100 })
    expect(Math.max(...open)).toBe(room)
  }
})

test('a workspace that is full teaches how much room there is', () => {
  const roster: Roster = { threads: ['open'], room: 3 }
  const after = advance(roster, { does: 'create', thread: 1 }, { made: false, full: true })
  expect(after).toEqual({ threads: ['open', 'unmade'], room: 1 })
  expect(optionsOf(after).filter(({ state }) => state === 'nothing' || state === 'unmade')).toEqual([])
})

test('every move of the tour can be made when all goes well', async () => {
  const { moves } = await foresee(walk, { tour, plans: [[]], budget: 0 })
  expect(moves.map(({ does }) => does)).toEqual(tour)
})

test('one seed means one walk, from one release to the next', async () => {
  const { moves } = await foresee(walk, { plans: drawPlans(1, 1, 40), budget: 100 })
  expect(moves.map(({ does, thread }) => `${does} ${thread}`).join(', ')).toMatchInlineSnapshot(
    `"create 0, get 0, close 0, list 1, get-closed 0, create-at-once 1, close 1, look-at-others 1, connect-closed 0, repeat-after-close 1, get-unknown 0, close-unknown 0, repeat-after-close 1, close-again 0, list 0, create-and-give-up 2, connect 2, create-after-invalid 3, repeat-late 2, get-unknown 2, close-unknown 2, close 3, repeat 2, close-while-it-speaks 2, create 4, list 4, repeat-at-once 4, connect-after-a-wrong-secret 4, connect 4, look-at-others 2, close 4, look-at-others 1, look-at-others 0, get-closed 4, get-closed 2, create-after-invalid 5, close-unknown 1, connect-closed 1, get-closed 3, get-closed 3"`,
  )
})

test('the walks of a full run make all pairs but a few', async () => {
  const shares = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      const { left } = await foresee(walk, { tour, plans: drawPlans(seed, 3, 40), budget: 18 })
      return 1 - left.length / pairs.length
    }),
  )
  expect(shares.filter((share) => share < 0.95).length).toBeLessThanOrEqual(1)
})
