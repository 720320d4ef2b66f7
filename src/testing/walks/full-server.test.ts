import { expect, test } from 'vitest'
import type { Choices } from '../full-server/choices.ts'
import { startFullServer } from '../full-server/start.ts'
import { WHOLE_RUN_MS } from '../hang.ts'
import { judgedRun, wrongIn } from '../judged-run.ts'
import { newFile } from '../new-folder.ts'

const only = [
  'characters.lives-property-long',
  'world-sessions.lives-property-long',
  'limits.places-property',
  'voices.library-property',
]

test.concurrent.each<[string, number, Partial<Choices>]>([
  ['that does the rest the other way', 2, { contrary: true }],
  ['with room for one session', 4, { cap: 1 }],
])('walks find nothing wrong with a complete server %s', { timeout: WHOLE_RUN_MS }, async (_, seed, choices) => {
  const full = await startFullServer({ ...choices, slowness: 0.1, requestsPerMinute: 60_000 })
  try {
    const profile = { ...full.profile, ca_file: newFile('ca.pem', full.ca_pem) }
    const { results } = await judgedRun({ profile, environment: full.environment, seed, tier: 'full', only })
    expect(wrongIn(results)).toEqual([])
    expect([results.leaked, results.harness_errors, full.openSessions()]).toEqual([[], [], []])
  } finally {
    await full.stop()
  }
})
