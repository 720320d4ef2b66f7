import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { type Move, optionsOf, pairs, type Roster, tour } from './moves.ts'

function advance(roster: Roster, move: Move): Roster {
  if (move === 'upload') return { ...roster, files: roster.files + 1 }
  return move === 'clone' || move === 'get-beside-clone' ? { ...roster, voices: roster.voices + 1 } : roster
}

const walk = { pairs, options: optionsOf, advance, start: { files: 0, voices: 0 } }

test('every move of the tour can be made when all goes well', async () => {
  const { moves } = await foresee(walk, { tour, plans: [[]], budget: 0 })
  expect(moves).toEqual(tour)
})

test('one seed means one walk, from one release to the next', async () => {
  const { moves } = await foresee(walk, { plans: drawPlans(1, 1, 20), budget: 40 })
  expect(moves.join(', ')).toMatchInlineSnapshot(
    `"list, upload, clone, upload, get-beside-clone, list, get, clone, clone-refused, get, clone-refused, get, clone-refused, get, get, get, list, list, clone-refused, list"`,
  )
})

test('a tour and a plan make every pair, and leave few files and voices behind', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { moves, left } = await foresee(walk, { tour, plans: drawPlans(seed, 1, 20), budget: 22 })
    expect(left).toEqual([])
    expect(moves.filter((move) => move === 'upload').length).toBeLessThanOrEqual(2)
    expect(moves.filter((move) => move.endsWith('clone')).length).toBeLessThanOrEqual(3)
  }
})
