import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawPlans } from '#arbitraries/plan'
import { advance, foreseen, isPossible, longTour, type Move, resolve, type Roster, shortTour } from './moves.ts'

const start: Roster = { threads: [], room: 3 }
const thread = fc.constantFrom('unmade' as const, 'open' as const, 'closed' as const)
const rosters = fc.record({ threads: fc.array(thread, { maxLength: 8 }), room: fc.integer({ min: 1, max: 3 }) })

test('every integer means a move that can be made, whatever the state', () => {
  fc.assert(
    fc.property(fc.nat(), rosters, (step, roster) => {
      expect(isPossible(resolve(step, roster), roster)).toBe(true)
    }),
  )
})

test('no walk holds more sessions open than there is room for', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), (plan, room) => {
      let roster: Roster = { threads: [], room }
      for (const step of plan) {
        const move = resolve(step, roster)
        const fresh = move.thread === roster.threads.length && move.does.startsWith('create')
        roster = advance(roster, move, fresh ? { made: true } : {})
        expect(roster.threads.filter((one) => one === 'open').length).toBeLessThanOrEqual(room)
      }
    }),
  )
})

test('a workspace that is full teaches how much room there is', () => {
  const roster: Roster = { threads: ['open'], room: 3 }
  const after = advance(roster, { does: 'create', thread: 1 }, { made: false, full: true })
  expect(after).toEqual({ threads: ['open', 'unmade'], room: 1 })
  expect(isPossible({ does: 'create', thread: 2 }, after)).toBe(false)
})

test.each([
  ['short', shortTour],
  ['long', longTour],
])('every move of the %s tour can be made when all goes well', (_, tour: readonly Move[]) => {
  let roster = start
  for (const move of tour) {
    expect(isPossible(move, roster), `${move.does} ${move.thread}`).toBe(true)
    roster = advance(roster, move, move.does.startsWith('create') ? { made: true } : {})
  }
})

test('one seed means one walk, from one release to the next', () => {
  const [plan = []] = drawPlans(1, 1, 40)
  expect(foreseen(plan, start).join(', ')).toMatchInlineSnapshot(
    `"create 0, list 0, close 0, create-after-invalid 1, close 1, create 2, close 2, create 3, repeat-after-close 2, close-again 2, close 3, repeat-after-close 1, create-and-give-up 4, repeat 4, create-after-invalid 5, repeat-after-close 0, get 5, create-after-invalid 6, list 0, get 4, repeat 5, list 0, connect 5, list 0, repeat 5, close 4, get 6, repeat 5, get-closed 0, repeat 6, connect 5, create 7, get 7, list 0, connect 5, get 7, connect-closed 2, close-unknown 3, get 6, close 5"`,
  )
})
