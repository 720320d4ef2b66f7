import { expect, test } from 'vitest'
import type { Walked } from '#trace/entry'
import { drawPlans } from '#arbitraries/plan'
import { choose, type Option, pairOf, WalkMemory } from './steering.ts'
import { takeWalk, takeWalks, type Walk } from './walk.ts'

type Door = 'open' | 'shut'

/** A door that can be moved, and rung at; ringing takes a request. */
function optionsAt(state: Door): readonly Option<string>[] {
  const moves = state === 'open' ? ['shut', 'leave'] : ['open', 'ring']
  return moves.map((operation) => ({
    state,
    operation,
    move: operation,
    weight: 1,
    price: operation === 'ring' ? 1 : 0,
  }))
}

const pairs = ['open × shut', 'open × leave', 'shut × open', 'shut × ring']

function walkOf(moves: string[]): Walk<Door, string> {
  const perform = async (move: string, state: Door): Promise<Door> => {
    moves.push(move)
    return move === 'open' ? 'open' : move === 'shut' ? 'shut' : state
  }
  return { name: 'door', pairs, options: optionsAt, perform }
}

function having(...made: readonly string[]): WalkMemory {
  const memory = new WalkMemory()
  for (const pair of made) memory.made.add(pair)
  return memory
}

function fakeContext() {
  const told: (Walked | undefined)[] = []
  const walked = new Map<string, WalkMemory>()
  return { told, walked, mark: (_label: string, walk?: Walked) => told.push(walk) }
}

test('what no walk has done in a state yet comes first', () => {
  const memory = having('open × shut')
  const steps = Array.from({ length: 64 }, (_, step) => step).filter((step) => step % 8 !== 0)
  expect(new Set(steps.map((step) => choose(step, optionsAt('open'), memory, pairs)?.operation))).toEqual(
    new Set(['leave']),
  )
})

test('one step of eight goes by weight, whatever was made', () => {
  const memory = having('open × shut')
  const steps = Array.from({ length: 8 }, (_, step) => step * 8)
  expect(new Set(steps.map((step) => choose(step, optionsAt('open'), memory, pairs)?.operation))).toEqual(
    new Set(['leave', 'shut']),
  )
})

test('where all is done that can be done here, it goes on to where something is not', () => {
  const memory = having('open × shut', 'open × leave', 'shut × open')
  const shut = { state: 'open', operation: 'shut', move: 'shut', weight: 1, price: 0 }
  memory.learn(shut, new Set(['open']), new Set(['shut']))
  const steps = Array.from({ length: 64 }, (_, step) => step).filter((step) => step % 2 === 1)
  const taken = steps.map((step) => choose(step, optionsAt('open'), memory, pairs)?.operation)
  expect(new Set(taken)).toEqual(new Set(['shut']))
  memory.made.add('shut × ring')
  const anything = steps.map((step) => choose(step, optionsAt('open'), memory, pairs)?.operation)
  expect(new Set(anything)).toEqual(new Set(['leave', 'shut']))
})

test('options are taken as often as they weigh, once all were made', () => {
  const options = optionsAt('open').map((one) => ({ ...one, weight: one.operation === 'shut' ? 3 : 1 }))
  const memory = having(...options.map(pairOf))
  const taken = Array.from({ length: 64 }, (_, step) => choose(step, options, memory, pairs)?.operation)
  expect(taken.filter((one) => one === 'shut')).toHaveLength(48)
})

test('a tour comes first, without what cannot be done; what is left is told', async () => {
  const [moves, context] = [[] as string[], fakeContext()]
  await takeWalk(context, walkOf(moves), { tour: ['leave', 'ring', 'shut'], plan: [], budget: 10 }, 'open')
  expect(moves).toEqual(['leave', 'shut'])
  expect(context.told).toEqual([{ name: 'door', pairs: 4, left: ['shut × open', 'shut × ring'] }])
})

test('a second walk of the same name makes what the first one left', async () => {
  const [moves, context] = [[] as string[], fakeContext()]
  await takeWalk(context, walkOf(moves), { tour: ['leave', 'shut'], plan: [], budget: 10 }, 'open')
  await takeWalk(context, walkOf(moves), { tour: [], plan: [1, 1], budget: 10 }, 'shut')
  expect(context.told.at(-1)?.left).toEqual(['shut × ring'].filter(() => !moves.includes('ring')))
  expect(context.told.at(-1)?.left.length).toBeLessThan(2)
})

test('each of several walks begins at the start and is drained before the next; the tour is for the first alone', async () => {
  const [done, context] = [[] as string[], fakeContext()]
  const { perform, ...walk } = walkOf([])
  const walker = (count: number) => ({
    make: async (move: string, state: Door) => {
      done.push(`${count} ${state} ${move}`)
      return perform(move, state)
    },
    drain: async () => void done.push(`${count} drained`),
  })
  await takeWalks(context, { ...walk, walker }, { tour: ['leave', 'shut'], plans: [[1], [1, 1]], budget: 10 }, 'open')
  expect(done.slice(0, 4)).toEqual(['0 open leave', '0 open shut', expect.stringMatching(/^0 shut /), '0 drained'])
  expect(done.slice(4)).toEqual([expect.stringMatching(/^1 open /), expect.stringMatching(/^1 /), '1 drained'])
  expect(context.told).toHaveLength(2)
  expect(context.told[1]?.left.length).toBeLessThanOrEqual(context.told[0]?.left.length ?? 0)
})

test('no step of a plan is skipped, and all pairs are made soon', async () => {
  const [moves, context] = [[] as string[], fakeContext()]
  await takeWalk(context, walkOf(moves), { tour: [], plan: drawPlans(3, 1, 40)[0] ?? [], budget: 3 }, 'open')
  expect(moves).toHaveLength(40)
  expect(moves.filter((move) => move === 'ring').length).toBeLessThanOrEqual(3)
  expect(context.told.at(-1)?.left).toEqual([])
})

test('one seed makes the same moves in every release', async () => {
  const moves: string[] = []
  await takeWalk(fakeContext(), walkOf(moves), { tour: [], plan: drawPlans(3, 1, 12)[0] ?? [], budget: 3 }, 'open')
  expect(moves.join(' ')).toMatchInlineSnapshot(`"leave shut open shut ring open shut ring ring open shut open"`)
})

test('a walk ends where a step is not let through', async () => {
  const moves: string[] = []
  const walk = walkOf(moves)
  const perform = async (move: string, state: Door) => {
    if (moves.length === 3) throw new Error('aborted')
    return walk.perform(move, state)
  }
  const taken = takeWalk(fakeContext(), { ...walk, perform }, { tour: [], plan: [1, 2, 3, 4, 5, 6], budget: 9 }, 'open')
  await expect(taken).rejects.toThrow('aborted')
  expect(moves).toHaveLength(3)
})
