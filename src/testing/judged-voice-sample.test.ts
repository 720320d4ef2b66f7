import { expect, test } from 'vitest'
import type { Profile } from '#spec/profile'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun } from './judged-run.ts'

/** Verdicts about voices of a target that refuses every sample, by a profile with these media. */
async function verdicts(change: (profile: Profile) => Profile): Promise<ReadonlyMap<string, string>> {
  const target = await startTarget({ tls: false, defects: ['voices.clone.accepted~every'] })
  try {
    const profile = change(profileOf(target))
    const { results } = await judgedRun({ profile, environment: environmentOf(target), only: ['voices'] })
    return new Map(results.requirements.map((row) => [row.id, `${row.verdict} ${row.reason_code ?? ''}`.trim()]))
  } finally {
    await target.stop()
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
