import { expect, test } from 'vitest'
import { type Play, playCourse } from './property.ts'

/** A state is the list of moves made; a move is what it costs. */
const costs: Play<readonly number[], number> = {
  resolve: (step) => (step === 0 ? undefined : step),
  price: (move) => move,
  perform: async (move, state) => [...state, move],
}

test('a tour comes first, then the plan', async () => {
  expect(await playCourse(costs, { tour: [2, 2], plan: [1, 3], budget: 100 }, [])).toEqual([2, 2, 1, 3])
})

test('a step that does not fit the budget is left out, and a cheaper one later is not', async () => {
  expect(await playCourse(costs, { tour: [2], plan: [3, 4, 1, 1], budget: 6 }, [])).toEqual([2, 3, 1])
})

test('a tour is never cut short', async () => {
  expect(await playCourse(costs, { tour: [5, 5], plan: [1], budget: 6 }, [])).toEqual([5, 5])
})

test('a step that means nothing is left out', async () => {
  expect(await playCourse(costs, { tour: [], plan: [0, 1, 0], budget: 6 }, [])).toEqual([1])
})
