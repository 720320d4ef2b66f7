import { expect, test } from 'vitest'
import { deviations } from '#target/deviations'
import { planProof } from './plan-proof.ts'

const wishes = { seed: 1, pairs: 3, bundles: 2, instant: false }
const { variations } = deviations()
const planned = (...only: readonly string[]) => planProof([], variations, [], { ...wishes, only })

test('pairs and bundles run without what they are made of where a plus is named', () => {
  const { first, variations: jobs } = planned('+')
  expect(first.map(({ id }) => id)).toEqual(['reference'])
  expect(jobs.map((job) => job.variations.length)).toEqual([2, 2, 2, 5, 5])
})

test('a pair or a bundle runs that is named in full', () => {
  const ids = variations.slice(0, 3).map(({ id }) => id)
  const { variations: jobs } = planned(ids.slice(0, 2).join('+'), ids.join(' + '))
  expect(jobs.map((job) => job.variations)).toEqual([ids.slice(0, 2), ids])
})

test('a pair runs once, in whatever order it is named, also where it was drawn', () => {
  const [one = '', other = ''] = variations.map(({ id }) => id)
  expect(planned(`${one}+${other}`, `${other} + ${one}`).variations).toHaveLength(1)
  const drawn = planned('+').variations
  const again = drawn[0]?.variations.toReversed().join('+') ?? ''
  expect(planned('+', again).variations).toEqual(drawn)
})

const contradicting = () => {
  for (const { id, contradicts } of variations) {
    const other = variations.find((one) => one.id !== id && contradicts?.test(one.id) === true)
    if (other !== undefined) return `${other.id}+${id}`
  }
  throw new Error('no two variations contradict each other')
}

test.each([
  ['that names one variation twice', () => `${variations[0]?.id}+${variations[0]?.id}`, / names a variation twice$/],
  ['of two that contradict each other', contradicting, / contradict each other: no service can be both$/],
  ['with a name that is none', () => `${variations[0]?.id}+unknown`, /"unknown" is no variation/],
  ['of which there is a part alone', () => ' + unknown', /"" is no variation/],
])('a pair %s is wrong usage, also beside something that runs', (_what, named, message) => {
  expect(() => planned(variations[1]?.id ?? '', named())).toThrow(message)
})

test('neither pairs nor bundles run where one variation is named', () => {
  const [one] = variations
  expect(planned(one?.id ?? '').variations.every((job) => job.variations.length === 1)).toBe(true)
})

test('the shares of defects and variations are all of them, each once', () => {
  const { defects } = deviations()
  const shareOf = (place: number) => {
    const plan = planProof(defects, variations, [], {
      ...wishes,
      pairs: 0,
      bundles: 0,
      only: [],
      share: { place, of: 3 },
    })
    return [...plan.first, ...plan.variations].filter(({ id }) => id !== 'reference')
  }
  const ids = [1, 2, 3].flatMap((place) => shareOf(place).map(({ id }) => id))
  expect(ids.toSorted()).toEqual([...defects, ...variations].map(({ id }) => id).toSorted())
})
