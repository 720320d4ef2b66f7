import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { foresee } from '#testing/walks/foresee'
import { type Move, optionsOf, pairs, type Roster, tour } from './moves.ts'

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

const walk = { pairs, options: optionsOf, advance, start: [] }

test('every move of the tour can be made when all goes well', async () => {
  const { moves } = await foresee(walk, { tour, plans: [[]], budget: 0 })
  expect(moves.map(({ does }) => does)).toEqual(tour)
})

test('one seed means one walk, from one release to the next', async () => {
  const { moves } = await foresee(walk, { plans: drawPlans(1, 1, 24), budget: 200 })
  expect(moves.map(({ does, place }) => `${does} ${place}`).join(', ')).toMatchInlineSnapshot(
    `"create 0, create-refused 1, list 1, start 0, replace 0, close 0, get 0, start-at-once 0, start-again 0, replace-refused 0, delete 0, start-again 0, replace 0, delete 0, get 0, close 0, delete 0, start 0, replace 0, get 0, create 1, replace-refused 1, replace-at-once 1, delete 1"`,
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
