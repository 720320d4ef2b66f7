import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import { driveTarget } from '#scenario/run/drive'
import { loadRules } from '#scenario/plan/load-rules'
import { startFullServer } from './full-server/start.ts'
import type { Choices } from './full-server/choices.ts'
import { WHOLE_RUN_MS } from './hang.ts'

/** A whole run against a complete server that was written independently, from the interface's text alone, with choices of their own. */
async function run(seed: number, choices: Partial<Choices>): Promise<{ results: Results; open: readonly string[] }> {
  const full = await startFullServer({ ...choices, slowness: 0.4 })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-second-'))
  try {
    const ca_file = join(folder, 'ca.pem')
    writeFileSync(ca_file, full.ca_pem)
    // Greenroom keeps to the limit of the key whose limit it crosses, and waiting would be the longest part of the test.
    const { rate_limited: _, ...keys } = full.profile.keys
    const profile = { ...full.profile, keys, ca_file }
    const driven = await driveTarget({
      profile,
      environment: full.environment,
      seed,
      journal: join(folder, 'journal'),
    })
    const open = full.openSessions()
    return { open, results: judge(driven.trace, register(), await loadRules()) }
  } finally {
    await full.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const blocking = new Set(['network', 'quota', 'budget', 'prerequisite', 'interrupted'])

function wrongIn({ requirements }: Results): readonly string[] {
  const wrong = requirements.filter(
    ({ verdict, reason_code }) =>
      verdict === 'fail' || verdict === 'warn' || (verdict === 'inconclusive' && blocking.has(reason_code ?? '')),
  )
  return wrong.map((row) => `${row.verdict} ${row.id}: ${row.reason}`)
}

test.concurrent.for([
  ['with its own choices', 1, {}],
  ['that does the rest the other way', 2, { contrary: true }],
] as const)('a complete server %s is conformant', { timeout: WHOLE_RUN_MS }, async ([, seed, choices]) => {
  const { results, open } = await run(seed, choices)
  expect(wrongIn(results)).toEqual([])
  expect(open).toEqual([])
  expect(results.leaked).toEqual([])
  expect(results.harness_errors).toEqual([])
  expect(results.conformant).toBe(true)
  expect(conclude(results).exit).toBe(0)
})
