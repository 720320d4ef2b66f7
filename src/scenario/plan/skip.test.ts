import { expect, test } from 'vitest'
import type { Scenario } from '../author/scenario.ts'
import { loadScenarios, loadWithJoint } from './catalogue.ts'
import { select } from './selection.ts'
import { skipOf, stillSeen, withoutRequests, withoutScenarios } from './skip.ts'

const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } } as const
const everything = await loadScenarios()

function skipping(names: readonly string[], scenarios: readonly Scenario[] = everything) {
  const all = select({ scenarios, profile, keys: ['primary'], tier: 'standard', only: [], requirements: [] })
  const skip = skipOf(names, scenarios)
  const left = withoutRequests(withoutScenarios(all, skip), skip)
  const skipped = left.skipped.filter(({ what }) => what?.startsWith('--skip ') === true)
  return { all, left, skipped, seen: stillSeen(left, skip) }
}

test('a part is left out with all its scenarios, each of which says by what', () => {
  const { left, skipped } = skipping(['voices'])
  expect(left.selected.filter(({ id }) => id.startsWith('voices.'))).toEqual([])
  expect(skipped.find(({ scenario }) => scenario.id === 'voices.library')).toMatchObject({
    why: 'tier',
    what: '--skip voices',
  })
  expect(left.selected.length).toBeGreaterThan(30)
})

test('of scenarios that show more, only the requests for what is named are left out', () => {
  const rows = ['control', 'media'].map((channel) => `world-sessions.${channel}.secret-rejected-as-api-key`)
  const { all, left, skipped, seen } = skipping(rows)
  expect(left.selected).toEqual(all.selected)
  expect(skipped).toMatchObject([
    {
      scenario: { id: 'world-sessions.life-of-a-session' },
      rows,
    },
  ])
  expect(left.left_out?.['world-sessions.life-of-a-session']?.ids).toEqual(['secret-as-key'])
  expect(seen).toEqual([])
})

test('what is shown beside other things is driven, and told', () => {
  const row = 'limits.max-duration.three-rejected'
  const { all, left, seen } = skipping([row])
  expect(left.selected).toEqual(all.selected)
  expect(seen).toEqual([row])
})

test('what would be driven together is not, where one of them is left out', async () => {
  const joint = await loadWithJoint()
  const { joins = [] } = joint.find((one) => one.joins !== undefined) ?? {}
  const { left } = skipping(joins.slice(0, 1), joint)
  expect(left.selected.filter((one) => one.joins?.includes(joins[0] ?? '') === true)).toEqual([])
})

test('a name that there is not is told', () => {
  expect(() => skipOf(['voice'], everything)).toThrow(/no requirement, scenario or part is called voice; did you mean/)
})
