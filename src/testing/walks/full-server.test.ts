import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import type { Choices } from '../full-server/choices.ts'
import { startFullServer } from '../full-server/start.ts'
import { WHOLE_RUN_MS } from '../hang.ts'

const only = [
  'characters.lives-property-long',
  'world-sessions.lives-property-long',
  'limits.places-property',
  'voices.library-property',
]

test.each<[string, number, Partial<Choices>]>([
  ['that does the rest the other way', 2, { contrary: true }],
  ['with room for one session', 4, { cap: 1 }],
])('walks find nothing wrong with a complete server %s', { timeout: WHOLE_RUN_MS }, async (_, seed, choices) => {
  const full = await startFullServer({ ...choices, slowness: 0.1, requestsPerMinute: 60_000 })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-walks-'))
  try {
    const ca_file = join(folder, 'ca.pem')
    writeFileSync(ca_file, full.ca_pem)
    const { environment } = full
    const journal = join(folder, 'journal')
    const profile = { ...full.profile, ca_file }
    const { trace } = await driveTarget({ profile, environment, seed, journal, tier: 'full', only })
    const { requirements, leaked, harness_errors } = judge(trace, register(), await loadRules())
    const wrong = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    expect([leaked, harness_errors, full.openSessions()]).toEqual([[], [], []])
  } finally {
    await full.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
