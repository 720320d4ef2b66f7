import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import type { Ability, Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import { abilities as known } from '#spec/tables'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun, wrongIn } from './judged-run.ts'
import { onSimulatedTarget } from './simulated-target.ts'

/** A whole run against the reference target, under a profile of our choice. */
async function run(change: (profile: Profile) => Profile): Promise<Results> {
  return onSimulatedTarget({}, async (driven) => {
    const { results } = await judgedRun({ ...driven, profile: change(driven.profile) })
    return results
  })
}

const every = Object.keys(known) as Ability[]

/**
 * Abilities of which no row needs two are away together. One run at a time: runs beside each other keep their targets from
 * answering in time.
 */
test.for<{ away: readonly Ability[] }>([
  { away: ['world_sessions', 'rtc_b'] },
  { away: ['voices', 'public_voices', 'characters'] },
  { away: ['audio_files', 'video'] },
  { away: every },
])(
  'without $away exactly the rows that need it do not apply, and the rest holds',
  { timeout: WHOLE_RUN_MS },
  async ({ away }) => {
    const abilities = Object.fromEntries(every.map((ability) => [ability, !away.includes(ability)]))
    const results = await run((profile) => ({ ...profile, abilities }))
    const needing = [...requirements.values()].filter((row) => row.abilities?.some((ability) => away.includes(ability)))
    const ids = [...results.requirements, ...results.unscored]
      .filter(({ verdict }) => verdict === 'not_applicable')
      .map(({ id }) => id)
    expect(ids.toSorted()).toEqual(needing.map(({ id }) => id).toSorted())
    expect(wrongIn(results)).toEqual([])
    expect(results.conformant).toBe(true)
  },
)

test('what a profile lacks leaves its rows open by name, and blocks only where all is required', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const results = await run(({ base_url, keys, limits = {}, timeouts = {} }) => ({
    base_url,
    keys: { primary: keys.primary ?? '' },
    limits,
    timeouts,
    allow_insecure_loopback: true,
  }))
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
