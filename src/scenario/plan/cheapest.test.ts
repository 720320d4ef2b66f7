import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { loadScenarios } from './catalogue.ts'
import { cheapest, type Spared } from './cheapest.ts'
import { readFinds } from './finds.ts'
import { rowOf, waysToFind } from './known.ts'
import { outlayOf } from './outlay.ts'
import { skippedOf } from './plan.ts'
import { select, type Selection } from './selection.ts'

const scenarios = (await loadScenarios()).map((one) => ({ ...one, needs: {} }))
const finds = readFinds()
// With a portrait, as what scenarios find was measured: without one, more is tried in text.
const media = { image_url: 'https://media.example/portrait.png' }
const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' }, media }
const ids = [...requirements.keys()]

function all(...only: readonly string[]): Selection {
  return select({ scenarios, profile, keys: ['primary'], tier: 'standard', only, requirements: ids })
}

const narrowed = (...only: readonly string[]): Spared => cheapest(all(...only), { only, finds, profile })

const driven = ids.flatMap((row) => {
  const [whole, narrow] = [all(row), narrowed(row)]
  return whole.selected.length === 0 ? [] : [{ row, whole, narrow }]
})

const priceOf = ({ selected, left_out = {} }: Selection): number => outlayOf(selected, left_out, profile).requests

test('what a run for a single row leaves out shows no mistake of it that the others do not', () => {
  const lost = driven.filter(({ row, whole, narrow }) => {
    const own = Object.entries(finds.mistakes).filter(([mistake]) => rowOf(mistake) === row)
    const mistakes = { ...finds, mistakes: Object.fromEntries(own) }
    const shown = (by: Selection): ReadonlySet<string> => new Set(waysToFind(mistakes, by.selected, profile).keys())
    return shown(whole).difference(shown(narrow)).size > 0 || narrow.selected.length === 0
  })
  expect(lost.map(({ row }) => row)).toEqual([])
})

test('no run for a single row costs more than all that shows something of it, and nine in ten at most twelve requests', () => {
  const dearest = ({ selected, skipped }: Selection): number => priceOf({ selected, skipped })
  expect(driven.filter(({ whole, narrow }) => priceOf(narrow) > dearest(whole)).map(({ row }) => row)).toEqual([])
  const cheap = driven.filter(({ narrow }) => priceOf(narrow) <= 12)
  expect(cheap.length / driven.length).toBeGreaterThan(9 / 10)
})

test('a row is claimed by what is left, where anything claims it', () => {
  const unclaimed = driven.filter(({ row, whole, narrow }) => {
    const claims = ({ selected }: Selection): boolean =>
      selected.some((one) => (one.claims ?? one.proves).some((claimed) => claimed === row))
    return claims(whole) && !claims(narrow)
  })
  expect(unclaimed.map(({ row }) => row)).toEqual([])
})

test('what has to be seen often, and what no mistake is known of, keeps all that shows something of it', () => {
  const often = driven.filter(({ row }) => (requirements.get(row)?.at_least ?? 1) > 1)
  expect(often.length).toBeGreaterThan(3)
  expect(often.flatMap(({ narrow }) => narrow.spared)).toEqual([])
  const only = ['voices.clone.accepted']
  const nothingKnown = cheapest(all(...only), { only, finds: { ...finds, mistakes: {} }, profile })
  expect(nothingKnown.spared).toEqual([])
})

test('what can show a row leaves nothing out where no scenario is known to show one of its mistakes alone', () => {
  const row = 'voices.clone.accepted'
  const [whole, unknown] = [all(row), { ...finds, mistakes: { ...finds.mistakes, [`${row}~unseen`]: [] } }]
  expect(Object.keys(whole.left_out ?? {})).not.toEqual([])
  const narrow = cheapest(whole, { only: [row], finds: unknown, profile })
  expect(narrow).toMatchObject({ selected: whole.selected, spared: [], left_out: {} })
})

test('who asks for a scenario or a part beside a row gets the whole of it', () => {
  const row = driven.find(({ narrow }) => narrow.spared.length > 0)?.row ?? ''
  const [spared = { id: '' }] = narrowed(row).spared
  expect(narrowed(row, spared.id).selected.map(({ id }) => id)).toContain(spared.id)
  expect(narrowed(row, 'voices').selected).toEqual(expect.arrayContaining([...all('voices').selected]))
})

test('what is left out is told with the rows that nobody asked for', () => {
  const { row, narrow } = driven.find((one) => one.narrow.spared.length > 0) ?? { row: '', narrow: narrowed() }
  const told = skippedOf(narrow.skipped).filter(({ scenario }) => narrow.spared.some(({ id }) => id === scenario))
  expect(told.length).toBe(narrow.spared.length)
  expect(told.flatMap(({ proves }) => proves)).not.toContain(row)
})
