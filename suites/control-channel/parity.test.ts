import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { collectFindings } from '#judge/findings'
import { indexTrace } from '#judge/trace-index'
import { requirements } from '#spec/register'
import { loadScenarios } from '#scenario/plan/catalogue'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { updateVariations } from '#target/variations/channel/updates'
import { type LegalCase, legalCases } from '#testing/channel/legal-cases'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from './rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'greenroom-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What claims and rules hold against a target that behaves so. */
async function drive({ what, variations, scenarios: wanted }: LegalCase): Promise<readonly string[]> {
  const scenarios = (await loadScenarios()).filter(({ id }) => wanted.includes(id))
  expect(scenarios.map(({ id }) => id).toSorted()).toEqual([...wanted].toSorted())
  const target = await startTarget({ variations: [...variations] })
  try {
    const caFile = join(folder, `${what}.pem`)
    writeFileSync(caFile, target.ca_pem ?? '')
    const environment = environmentOf(target)
    const { trace, outcomes } = await driveTarget({
      profile: profileOf(target, { caFile }),
      environment,
      scenarios,
      seed: 1,
    })
    expect(outcomes.filter(({ outcome }) => outcome !== 'completed')).toEqual([])
    const { rows, mistakes } = collectFindings(indexTrace(trace.entries), rules, (id) => requirements.has(id as never))
    expect(mistakes).toEqual([])
    return [...rows].flatMap(([id, { breaches }]) =>
      breaches.slice(0, 1).map(({ expected, got }) => `${id}: expected ${expected}, got ${got}`),
    )
  } finally {
    await target.stop()
  }
}

const cases = legalCases.map((one) => [one.what, one] as const)

// An active claim and a passive rule never disagree about a legal choice: each case is judged by both.
test.each(cases)('%s: rules hold nothing against such a dialogue', (_, { steps, change }) => {
  expect(verdictsOf(rules, change(steps)).reasons).toEqual([])
})

test.concurrent.each(cases)(
  '%s: scenarios hold nothing against such a target',
  { timeout: 120_000 },
  async (_, one) => {
    expect(await drive(one)).toEqual([])
  },
)

test('whatever a target may do with an update is judged both ways', () => {
  const driven = new Set(legalCases.flatMap(({ variations }) => variations))
  expect(updateVariations.map(({ id }) => id).filter((id) => !driven.has(id))).toEqual([])
})
