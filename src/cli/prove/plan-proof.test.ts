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
  const { variations: jobs } = planned(ids.slice(0, 2).join('+'), ids.join(' + '), `${ids[0]}+unknown`)
  expect(jobs.map((job) => job.variations)).toEqual([ids.slice(0, 2), ids])
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
