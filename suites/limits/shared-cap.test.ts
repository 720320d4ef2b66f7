import { expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { type TargetOptions } from '#target/options'
import { startTarget } from '#target/start'
import { judgedRun } from '#testing/judged-run'

const row = 'limits.concurrency.shared-by-keys'
const cap = 3

/** What a run for this row alone says of it, with or without the cap in the profile. */
async function verdictOn(declared: boolean, options: TargetOptions): Promise<string | undefined> {
  const target = await startTarget({ tls: false, concurrentSessions: cap, ...options })
  try {
    const profile = profileOf(target)
    const limits = Object.fromEntries(
      Object.entries(profile.limits ?? {}).map(([key, { requests_per_minute = 60 }]) => [key, { requests_per_minute }]),
    )
    const { results } = await judgedRun({
      profile: declared ? profile : { ...profile, limits },
      environment: environmentOf(target),
      tier: 'full',
      only: ['limits.shared-cap'],
    })
    return results.requirements.find(({ id }) => id === row)?.verdict
  } finally {
    await target.stop()
  }
}

/** Sessions of before, which are not listed any more, hold the last place until it was found taken. */
const holdsOneBack: TargetOptions['override'] = ({ quota }) => {
  const { admits } = quota
  let free = false
  quota.admits = (open, most) => {
    if (free || open < most - 1) return admits(open, most)
    free = true
    return false
  }
}

test.each([true, false])(
  'a place that one that closes gives back is no place of the other key (cap told: %s)',
  async (declared) => {
    expect(await verdictOn(declared, { override: holdsOneBack })).toBe('inconclusive')
  },
)

test.each([true, false])('a cap for each key is found, and one for all is seen (cap told: %s)', async (declared) => {
  expect(await verdictOn(declared, { defects: [row] })).toBe('fail')
  expect(await verdictOn(declared, {})).toBe('pass')
})
