import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOf, judge } from '../judge/judge.ts'
import { register } from '../judge/register.ts'
import type { Results } from '../judge/results.ts'
import { driveTarget } from '../scenario/drive.ts'
import { loadRules } from '../scenario/rules.ts'
import { startSecond } from './second-stranger/start.ts'

/** A whole run against a complete server that somebody wrote from the interface's text alone, to a taste of their own. */
async function run(seed: number): Promise<Results> {
  const second = await startSecond()
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-second-'))
  try {
    const ca_file = join(folder, 'ca.pem')
    writeFileSync(ca_file, second.ca_pem)
    // Greenroom keeps to the limit of the key whose limit it crosses, and waiting would be the longest part of the test.
    const { rate_limited: _, ...keys } = second.profile.keys
    const profile = { ...second.profile, keys, ca_file }
    const driven = await driveTarget({
      profile,
      environment: second.environment,
      seed,
      journal: join(folder, 'journal'),
    })
    await expect.poll(() => second.openSessions()).toEqual([])
    return judge(driven.trace, register(), await loadRules())
  } finally {
    await second.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a complete server of another taste is conformant', { timeout: 180_000 }, async () => {
  const results = await run(1)
  const blocking = new Set(['network', 'quota', 'budget', 'prerequisite', 'interrupted'])
  const wrong = results.requirements.filter(
    (row) =>
      row.verdict === 'fail' ||
      row.verdict === 'warn' ||
      (row.verdict === 'inconclusive' && blocking.has(row.reason_code ?? '')),
  )
  expect(wrong.map((row) => `${row.verdict} ${row.id}: ${row.reason}`)).toEqual([])
  expect(results.leaked).toEqual([])
  expect(results.conformant).toBe(true)
  expect(exitCodeOf(results)).toBe(0)
})
