import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { type Move, optionsOf, pairs, type Roster, tour } from './moves.ts'

function advance(roster: Roster, { does, place }: Move): Roster {
  if (['create-without-key', 'create-running', 'await-closed'].includes(does)) return roster
  if (['create', 'create-at-once', 'create-neighbour', 'create-given-up'].includes(does))
    return [...roster, { stands: 'active' }]
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
    `"create 0, create-neighbour 0, create-refused 1, create-other-body 0, create-again 0, close 1, close-again 1, await-closed 1, create-again 1, create-other-body 0, renew 1, close-beside-renew 0, get 1, create-without-key 2, create-running 2, renew-again 0, create-at-once 2, close-beside-create 2, create-given-up 3, create-again 3, renew-with-key 3, get 2, create-again 3, create-other-body 3"`,
  )
})

test('six walks make all pairs but a few', async () => {
  const shares = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      const { left } = await foresee(walk, { tour, plans: drawPlans(seed, 6, 40), budget: 20 })
      return 1 - left.length / pairs.length
    }),
  )
  expect(shares.filter((share) => share < 0.95).length).toBeLessThanOrEqual(1)
})
