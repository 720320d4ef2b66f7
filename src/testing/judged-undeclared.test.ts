import { expect, test } from 'vitest'
import type { Profile } from '#spec/profile'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun, wrongIn } from './judged-run.ts'

interface Case {
  /** Of the target. */
  readonly defect: string
  readonly only: string
  readonly change: (profile: Profile) => Profile
}

/** Rows that a run of one part calls wrong, under a profile of our choice. */
async function wrongRows({ defect, only, change }: Case): Promise<readonly string[]> {
  const target = await startTarget({ tls: false, defects: [defect] })
  try {
    const profile = change(profileOf(target))
    const { results } = await judgedRun({ profile, environment: environmentOf(target), only: [only] })
    return wrongIn(results).map((sentence) => sentence.replace(/:.*/s, ''))
  } finally {
    await target.stop()
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
  expect(await wrongRows({ defect, ...concurrency })).toEqual([`warn ${defect}`])
})

test('where it is, 30006 alone is right', { timeout: WHOLE_RUN_MS }, async () => {
  const defect = 'limits.concurrency.full-told-by-30006'
  const wrong = await wrongRows({ defect, ...concurrency, change: (profile) => profile })
  expect(wrong).toContain('fail errors.code-30006.cap-exceeded')
})

test('a key that is denied something else may create avatar sessions', { timeout: WHOLE_RUN_MS }, async () => {
  const defect = 'errors.code-10009.key-not-granted'
  expect(await wrongRows({ defect, only: denials, change: (profile) => profile })).toContain(`fail ${defect}`)
  const elsewhere = await wrongRows({
    defect,
    only: denials,
    change: (profile) => ({ ...profile, denies: ['clone-voice'] }),
  })
  expect(elsewhere).toEqual([])
})
