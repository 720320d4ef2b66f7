import { mkdtempSync, rmSync } from 'node:fs'
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

interface Case {
  /** Of the target. */
  readonly defect: string
  readonly only: string
  readonly change: (profile: Profile) => Profile
}

/** Rows that a run of one part calls wrong, under a profile of our choice. */
async function wrongIn({ defect, only, change }: Case): Promise<readonly string[]> {
  const target = await startTarget({ tls: false, defects: [defect] })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-undeclared-'))
  try {
    const driven = await driveTarget({
      profile: change(profileOf(target)),
      environment: environmentOf(target),
      seed: 1,
      only: [only],
      journal: join(folder, 'journal'),
    })
    const { requirements: rows } = judge(driven.trace, register(), await loadRules())
    return rows
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ verdict, id }) => `${verdict} ${id}`)
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function undeclared(profile: Profile): Profile {
  const { capped: _, ...limits } = profile.limits ?? {}
  return { ...profile, limits }
}

const concurrency = { only: 'limits.concurrency', change: undeclared }
const denials = 'authentication.denied'

test('where the cap is not declared, a full workspace that is told by 30008 is worth a warning', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const defect = 'limits.concurrency.full-told-by-30006'
  expect(await wrongIn({ defect, ...concurrency })).toEqual([`warn ${defect}`])
})

test('where it is, 30006 alone is right', { timeout: WHOLE_RUN_MS }, async () => {
  const defect = 'limits.concurrency.full-told-by-30006'
  const wrong = await wrongIn({ defect, ...concurrency, change: (profile) => profile })
  expect(wrong).toContain('fail errors.code-30006.cap-exceeded')
})

test('a key that is denied something else may create avatar sessions', { timeout: WHOLE_RUN_MS }, async () => {
  const defect = 'errors.code-10009.key-not-granted'
  expect(await wrongIn({ defect, only: denials, change: (profile) => profile })).toContain(`fail ${defect}`)
  const elsewhere = await wrongIn({
    defect,
    only: denials,
    change: (profile) => ({ ...profile, denies: ['clone-voice'] }),
  })
  expect(elsewhere).toEqual([])
})
