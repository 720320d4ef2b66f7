import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { judge } from '#judge/judge'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import { driveTarget } from '#scenario/run/drive'
import { startMinimalServer } from './minimal-server/start.ts'
import { WHOLE_RUN_MS } from './hang.ts'

/** A whole run against the server that somebody else wrote from the interface's text alone. */
async function run(seed: number): Promise<Results> {
  const minimal = await startMinimalServer()
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-minimal-'))
  try {
    const ca_file = join(folder, 'ca.pem')
    writeFileSync(ca_file, minimal.ca_pem ?? '')
    // Its rate limit counts by whole minutes, and an honoured Retry-After would be the longest part of the test.
    const { rate_limited: _, ...keys } = minimal.profile.keys
    const profile = { ...minimal.profile, keys, ca_file }
    const { environment } = minimal
    const driven = await driveTarget({ profile, environment, seed, journal: join(folder, 'journal') })
    await expect.poll(() => minimal.openSessions()).toEqual([])
    return judge(driven.trace, register(), await loadRules())
  } finally {
    await minimal.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a minimal server that declares the rest away is conformant', { timeout: WHOLE_RUN_MS }, async () => {
  const results = await run(1)
  const blocking = new Set(['network', 'quota', 'budget', 'prerequisite', 'interrupted'])
  const wrong = results.requirements.filter(
    (row) =>
      row.verdict === 'fail' ||
      row.verdict === 'warn' ||
      (row.level === 'must' && row.verdict === 'inconclusive' && blocking.has(row.reason_code ?? '')),
  )
  expect(wrong.map((row) => `${row.verdict} ${row.id}: ${row.reason}`)).toEqual([])
  expect(conclude(results).exit).toBe(0)
})
