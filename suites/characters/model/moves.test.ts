import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foreseenWalk } from '#testing/walks/foreseen-walk'
import { longTour, type Move, optionsOf, pairs, type Roster, shortTour } from './moves.ts'

function advance(roster: Roster, { does, place }: Move): Roster {
  if (does === 'create') return [...roster, { stands: 'stored', keyed: false, open: false }]
  const person = roster[place]
  if (person === undefined) return roster
  if (does === 'start-beside-delete') return roster.with(place, { stands: 'deleted', keyed: true, open: true })
  const deleted = does === 'delete' || does === 'delete-beside-replace'
  if (deleted) return roster.with(place, { ...person, stands: 'deleted' })
  if (does.startsWith('replace') && does !== 'replace-refused' && person.stands !== 'deleted')
    return roster.with(place, { ...person, stands: 'replaced' })
  if (does === 'close') return roster.with(place, { ...person, open: false })
  const starts = (does === 'start' || does === 'start-at-once') && person.stands !== 'deleted'
  return starts ? roster.with(place, { ...person, keyed: true, open: true }) : roster
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
    `"create 0, delete-beside-replace 0, get 0, list 0, delete 0, start 0, delete 0, replace 0, start 0, get 0, create 1, replace-refused 1, list 1, start 1, get 1, create-refused 1, delete 1, start-again 1, delete 1, close 1, replace 1, replace 0, get 1, replace 1"`,
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
