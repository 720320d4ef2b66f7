import { expect, test } from 'vitest'
import { conclude } from '#report/conclusion'
import { startFullServer } from './full-server/start.ts'
import { WHOLE_RUN_MS } from './hang.ts'
import { blockedIn, judgedRun, wrongIn } from './judged-run.ts'
import { newFile } from './new-folder.ts'

/** A whole run against a server that was written independently, from the interface's text alone. */
test.concurrent.for([
  ['with its own choices', 1, {}],
  ['that does the rest the other way', 2, { contrary: true, cap: 12 }],
] as const)('a complete server %s is conformant', { timeout: WHOLE_RUN_MS }, async ([, seed, choices]) => {
  const full = await startFullServer({ slowness: 0.1, ...choices })
  try {
    // Greenroom keeps to the limit of the key whose limit it crosses, and waiting would be the longest part of the test.
    const { rate_limited: _, ...keys } = full.profile.keys
    // Its Get tells of a close where nobody can be sure to read it (4.1), so the whole time for closing is waited for.
    const timeouts = { ...full.profile.timeouts, closed_ms: 10_000 }
    const profile = { ...full.profile, keys, timeouts, ca_file: newFile('ca.pem', full.ca_pem) }
    const { results } = await judgedRun({ profile, environment: full.environment, seed })
    expect([wrongIn(results), blockedIn(results), full.openSessions()]).toEqual([[], [], []])
    expect([results.leaked, results.harness_errors]).toEqual([[], []])
    expect(conclude(results).exit).toBe(0)
  } finally {
    await full.stop()
  }
})
