import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foreseenWalk } from '#testing/walks/foreseen-walk'
import { longTour, type Move, optionsOf, pairs, type Roster, shortTour } from './moves.ts'

function advance(roster: Roster, { does, place }: Move): Roster {
  if (does === 'create' || does === 'create-at-once') return [...roster, { stands: 'active' }]
  const closed = roster[place]?.stands === 'closed'
  if (does.startsWith('close')) return roster.with(place, { stands: 'closed' })
  if (does === 'create-other-body') return roster.with(place, { stands: 'conflicted' })
  return does.startsWith('renew') && !closed ? roster.with(place, { stands: 'renewed' }) : roster
}

/** What a tour and a plan come to if everything goes well. */
function foreseen(tour: readonly string[], plan: readonly number[], made?: Set<string>): readonly string[] {
  const done = foreseenWalk<Roster, Move>({ start: [], options: optionsOf, advance }, [...tour, ...plan], made)
  return done.map(({ operation, move }) => `${operation} ${move.place}`)
}

test.each([
  ['short', shortTour],
  ['long', longTour],
])('every move of the %s tour can be made when all goes well', (_, tour) => {
  expect(foreseen(tour, []).map((move) => move.split(' ')[0])).toEqual(tour)
})

test('one seed means one walk, from one release to the next', () => {
  const [plan = []] = drawPlans(1, 1, 24)
  expect(foreseen([], plan).join(', ')).toMatchInlineSnapshot(
    `"create 0, get 0, create-other-body 0, close-beside-create 0, renew 0, renew-again 0, get 0, create-again 0, close-again 0, create-at-once 1, close-beside-create 1, close-again 0, renew 0, renew-again 0, create 2, renew-with-key 2, close-beside-create 2, get 2, renew 2, create 3, close-beside-renew 3, create-again 0, renew-again 3, get 0"`,
  )
})

test('three walks make all pairs but a few', () => {
  const made = new Set<string>()
  const [first = [], ...others] = drawPlans(1, 3, 40)
  foreseen(longTour, first, made)
  for (const plan of others) foreseen([], plan, made)
  expect(pairs.filter((pair) => !made.has(pair)).length).toBeLessThanOrEqual(pairs.length * 0.05)
})

test('only what the table names can be made', () => {
  const made = new Set<string>()
  for (const plan of drawPlans(2, 20, 60)) foreseen([], plan, made)
  expect([...made].filter((pair) => !pairs.includes(pair))).toEqual([])
})
