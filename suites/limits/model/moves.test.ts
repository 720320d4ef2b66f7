import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { type Move, optionsOf, pairs, type Roster } from './moves.ts'

/** What comes of a move where a full workspace refuses and an emptied place is free. */
function advance(roster: Roster, move: Move): Roster {
  const { open, cap } = roster
  if (move === 'create') return { ...roster, open: Math.min(cap, open + 1) }
  if (move === 'create-at-once') return { ...roster, open: cap }
  if (move === 'close') return { ...roster, open: open - 1, closed: true }
  return move === 'close-beside-create' ? { ...roster, open: cap, closed: true } : roster
}

const walk = { pairs, options: optionsOf, advance, start: { open: 0, cap: 2, closed: false } }

test('one seed means one walk, from one release to the next', async () => {
  const { moves } = await foresee(walk, { plans: drawPlans(1, 1, 30), budget: 60 })
  expect(moves.join(', ')).toMatchInlineSnapshot(
    `"create, close, close-again, create-invalid, create-at-once, create-at-once, close-beside-create, create-again, create-invalid, close, create, create, close, close-beside-create, close-again, close, create-again, create-at-once, close, create-invalid, close-again, create-at-once, create, close, create, create, close, close-again, create, create"`,
  )
})

test('three walks make all pairs but a few', async () => {
  const shares = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      const { left } = await foresee(walk, { plans: drawPlans(seed, 3, 30), budget: 20 })
      return 1 - left.length / pairs.length
    }),
  )
  expect(shares.filter((share) => share < 0.9).length).toBeLessThanOrEqual(1)
})
