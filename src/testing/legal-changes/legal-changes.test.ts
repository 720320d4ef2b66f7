import { beforeAll, expect, test } from 'vitest'
import type { Rule } from '#judge/rule'
import { loadRules } from '#scenario/plan/load-rules'
import { parseTrace } from '#trace/reader'
import { frozenTrace } from '../frozen/frozen-traces.ts'
import { blamedBy, blamedByAll, recorded } from './blamed.ts'
import { spreads } from './legal-change.ts'
import { legalChanges } from './legal-changes.ts'

let rules: readonly Rule[] = []
beforeAll(async () => {
  rules = await loadRules()
})

const run = (name: string) => recorded(parseTrace(frozenTrace(name)).entries, rules)

test('each change has a name of its own, a section and a reason', () => {
  expect(new Set(legalChanges.map(({ id }) => id)).size).toBe(legalChanges.length)
  for (const { id, section, why } of legalChanges) {
    expect(section, id).toMatch(/^(?:Conventions|[1-9](?:\.\d+)?)$/)
    expect(why.length, id).toBeGreaterThan(15)
  }
})

test('no change that the interface leaves open makes a verdict of a short run worse', () => {
  const smoke = run('reference-smoke')
  const blamed = legalChanges.flatMap((change) =>
    spreads.flatMap((spread, nth) => blamedBy(smoke, change, spread, nth)),
  )
  expect(blamed).toEqual([])
})

/** What called a correct service wrong, found by these changes. */
const found = [
  'without-done-id',
  'clock-off-behind-an-edge-by--240s',
  'clock-off-behind-an-edge-by--4s',
  'server-errors',
]

test('nor those that once did one of a whole run of an independent server', () => {
  const whole = run('contrary')
  const changes = legalChanges.filter(({ id }) => found.includes(id))
  expect(changes).toHaveLength(found.length)
  expect(changes.flatMap((change) => blamedBy(whole, change, 'everywhere', 1))).toEqual([])
})

test('nor do several of a whole run of a small one, one upon the other', () => {
  const whole = run('minimal')
  expect([1, 2, 3].flatMap((seed) => blamedByAll(whole, seed))).toEqual([])
})
