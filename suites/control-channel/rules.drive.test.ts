import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { collectFindings } from '#judge/findings'
import { indexTrace } from '#judge/trace-index'
import type { Profile } from '#spec/profile'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { tour } from '#testing/channel/tour'
import { startMinimalServer } from '#testing/minimal-server/start'
import { rules } from './rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'greenroom-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Judged {
  readonly broken: readonly string[]
  readonly held: number
}

async function drive(
  name: string,
  profile: (ca_file: string) => Profile,
  ca: string,
  environment: { readonly [name: string]: string },
): Promise<Judged> {
  const caFile = join(folder, `${name}.pem`)
  writeFileSync(caFile, ca)
  const { trace, outcomes } = await driveTarget({
    profile: profile(caFile),
    environment,
    scenarios: [tour('text_chat'), tour('video_avatar')],
    seed: 1,
  })
  expect(outcomes.filter(({ outcome }) => outcome !== 'completed')).toEqual([])
  const { rows, mistakes } = collectFindings(indexTrace(trace.entries), rules, () => true)
  expect(mistakes).toEqual([])
  const all = [...rows]
  const broken = all.flatMap(([id, { breaches }]) =>
    breaches.slice(0, 1).map(({ expected, got }) => `${id}: expected ${expected}, got ${got}`),
  )
  return { broken, held: all.filter(([, { held }]) => held > 0).length }
}

async function reference(name: string, variations: readonly string[]): Promise<Judged> {
  const target = await startTarget({ variations: [...variations] })
  try {
    return await drive(name, (caFile) => profileOf(target, { caFile }), target.ca_pem ?? '', environmentOf(target))
  } finally {
    await target.stop()
  }
}

test.concurrent.each([
  ['as it is', []],
  ['with little', ['minimal']],
  ['with much', ['lavish']],
  ['with other choices', ['not-shown', 'new-before-old-done', 'pending-before-done-in-text']],
  ['at once', ['instant', 'items-announced-late']],
])('nothing is held against the reference target %s', async (name, variations) => {
  const { broken, held } = await reference(name, variations)
  expect(broken).toEqual([])
  expect(held).toBeGreaterThan(120)
})

test.concurrent('nothing is held against a target that somebody else wrote', async () => {
  const minimal = await startMinimalServer()
  try {
    const profile = (ca_file: string): Profile => ({ ...minimal.profile, ca_file })
    const { broken, held } = await drive('minimal', profile, minimal.ca_pem, minimal.environment)
    expect(broken).toEqual([])
    expect(held).toBeGreaterThan(100)
  } finally {
    await minimal.stop()
  }
})
