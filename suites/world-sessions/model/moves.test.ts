import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { type Move, optionsOf, pairs, type Roster, tour } from './moves.ts'

function advance(roster: Roster, { does, place }: Move): Roster {
  if (does === 'create' || does === 'create-at-once') return [...roster, { stands: 'active' }]
  const closed = roster[place]?.stands === 'closed'
  if (does.startsWith('close')) return roster.with(place, { stands: 'closed' })
  if (does === 'create-other-body') return roster.with(place, { stands: 'conflicted' })
  return does.startsWith('renew') && !closed ? roster.with(place, { stands: 'renewed' }) : roster
}

const walk = { pairs, options: optionsOf, advance, start: [] }

test('every move of the tour can be made when all goes well', async () => {
  const { moves } = await foresee(walk, { tour, plans: [[]], budget: 0 })
  expect(moves.map(({ does }) => does)).toEqual(tour)
})

test('one seed means one walk, from one release to the next', async () => {
  const { moves } = await foresee(walk, { plans: drawPlans(1, 1, 24), budget: 200 })
  expect(moves.map(({ does, place }) => `${does} ${place}`).join(', ')).toMatchInlineSnapshot(
    `"create 0, get 0, create-other-body 0, close-beside-create 0, renew 0, renew-again 0, get 0, create-again 0, close-again 0, create-at-once 1, close-beside-create 1, create 2, close 2, create-at-once 3, create-refused 3, renew 3, close-beside-create 3, create 4, close-beside-renew 4, create 5, create-again 5, create-other-body 5, create-other-body 5, close-beside-renew 5"`,
  )
})

test('the walks of a full run make all pairs but a few', async () => {
  const shares = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      const { left } = await foresee(walk, { tour, plans: drawPlans(seed, 6, 40), budget: 20 })
      return 1 - left.length / pairs.length
    }),
  )
  expect(shares.filter((share) => share < 0.95).length).toBeLessThanOrEqual(1)
})
