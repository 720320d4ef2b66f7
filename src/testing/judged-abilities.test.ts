import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import type { Ability, Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import { abilities as known } from '#spec/tables'
import { driveTarget } from '#scenario/run/drive'
import { loadRules } from '#scenario/plan/load-rules'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from './hang.ts'

/** A whole run against the reference target, under a profile of our choice. */
async function run(change: (profile: Profile) => Profile): Promise<Results> {
  const target = await startTarget()
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-abilities-'))
  try {
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, target.ca_pem ?? '')
    const whole = profileOf(target, { caFile })
    // An honoured Retry-After would be the longest part of the test.
    const { rate_limited: _, ...keys } = whole.keys
    const driven = await driveTarget({
      profile: change({ ...whole, keys }),
      environment: environmentOf(target),
      seed: 1,
      journal: join(folder, 'journal'),
    })
    return judge(driven.trace, register(), await loadRules())
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const wrongIn = ({ requirements: rows }: Results): readonly string[] =>
  rows
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map((row) => `${row.verdict} ${row.id}: ${row.reason}`)

const every = Object.keys(known) as Ability[]

test.concurrent.for<{ away: readonly Ability[] }>([
  { away: ['world_sessions'] },
  { away: ['voices', 'public_voices'] },
  { away: ['audio_files'] },
  { away: ['characters'] },
  { away: ['video'] },
  { away: ['rtc_b'] },
  { away: every },
])(
  'without $away exactly the rows that need it do not apply, and the rest holds',
  { timeout: WHOLE_RUN_MS },
  async ({ away }) => {
    const abilities = Object.fromEntries(every.map((ability) => [ability, !away.includes(ability)]))
    const results = await run((profile) => ({ ...profile, abilities }))
    const needing = [...requirements.values()].filter((row) => row.abilities?.some((ability) => away.includes(ability)))
    const ids = results.requirements.filter(({ verdict }) => verdict === 'not_applicable').map(({ id }) => id)
    expect(ids.toSorted()).toEqual(needing.map(({ id }) => id).toSorted())
    expect(wrongIn(results)).toEqual([])
    expect(results.conformant).toBe(true)
  },
)

test('what a profile lacks leaves its rows open by name, and blocks only where all is required', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const results = await run(({ base_url, ca_file, keys, limits, timeouts }) => {
    const bare = { base_url, keys: { primary: keys.primary ?? '' } }
    return JSON.parse(JSON.stringify({ ...bare, ca_file, limits, timeouts })) as Profile
  })
  expect(wrongIn(results)).toEqual([])
  expect(conclude(results).exit).toBe(0)
  expect(conclude(results, { requireAll: true }).exit).toBe(3)
  for (const row of requirements.values()) {
    const lacking = row.keys?.[0] ?? row.triggers?.[0] ?? row.media?.[0]
    const result = results.requirements.find(({ id }) => id === row.id)
    if (lacking !== undefined && row.standing !== 'untestable' && result?.verdict === 'inconclusive')
      expect(result.reason).toContain(lacking)
  }
})
