import { expect, test } from 'vitest'
import { twice } from './two-runs.ts'

interface Begun {
  readonly seed: number
  readonly name: string
}

/** What `twice` came to, and the runs that it began. */
async function ran(...exits: readonly (number | undefined)[]) {
  const begun: Begun[] = []
  const ended = await twice(async (seed, name) => {
    begun.push({ seed, name })
    return exits[begun.length - 1] ?? { seed, name }
  })
  return { ended, begun }
}

test('two conformant runs are handed on, the first one first', async () => {
  const { ended, begun } = await ran()
  expect(ended).toEqual(begun)
  expect(begun.map(({ name }) => name)).toEqual(['run-1', 'run-2'])
})

test('the seeds are never the same', async () => {
  for (let round = 0; round < 200; round += 1) {
    const [one, two] = (await ran()).begun
    expect(one?.seed).not.toBe(two?.seed)
    for (const { seed } of [one, two] as Begun[])
      expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
  }
})

test('after a first run that is not conformant there is no second one, and its exit code is told', async () => {
  const { ended, begun } = await ran(1)
  expect([ended, begun.length]).toEqual([1, 1])
})

test('a second run that is not conformant brings no certificate either', async () => {
  const { ended, begun } = await ran(undefined, 3)
  expect([ended, begun.length]).toEqual([3, 2])
})
