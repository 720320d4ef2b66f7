import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Profile } from '#spec/profile'
import { driveTarget } from '#scenario/run/drive'
import { loadRules } from '#scenario/plan/load-rules'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from './hang.ts'

/** Verdicts about voices of a target that refuses every sample, by a profile with these media. */
async function verdicts(change: (profile: Profile) => Profile): Promise<ReadonlyMap<string, string>> {
  const target = await startTarget({ defects: ['voices.clone.accepted~every'] })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-voice-sample-'))
  try {
    const caFile = join(folder, 'ca.pem')
    writeFileSync(caFile, target.ca_pem ?? '')
    const profile = change(profileOf(target, { caFile }))
    const journal = join(folder, 'journal')
    const driven = await driveTarget({
      profile,
      environment: environmentOf(target),
      seed: 1,
      journal,
      only: ['voices'],
    })
    const { requirements } = judge(driven.trace, register(), await loadRules())
    return new Map(requirements.map((row) => [row.id, `${row.verdict} ${row.reason_code ?? ''}`.trim()]))
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const withoutSample = ({ media, ...profile }: Profile): Profile => {
  const { voice_sample: _, ...others } = media ?? {}
  return { ...profile, media: others }
}

test(
  'a service that refuses the synthetic sample lacks a medium; one that refuses the own sample fails',
  async () => {
    const unheard = await verdicts(withoutSample)
    expect([...unheard].filter(([, verdict]) => verdict.startsWith('fail'))).toEqual([])
    expect(unheard.get('voices.clone.refused-makes-nothing')).toBe('inconclusive missing_media')
    expect((await verdicts((profile) => profile)).get('voices.clone.accepted')).toBe('fail')
  },
  WHOLE_RUN_MS,
)
