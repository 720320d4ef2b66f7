import { expect, test } from 'vitest'
import { conclude } from '#report/conclusion'
import { WHOLE_RUN_MS } from './hang.ts'
import { blockedIn, judgedRun, wrongIn } from './judged-run.ts'
import { startMinimalServer } from './minimal-server/start.ts'
import { newFile } from './new-folder.ts'

/** A whole run against the server that somebody else wrote from the interface's text alone. */
test('a minimal server that declares the rest away is conformant', { timeout: WHOLE_RUN_MS }, async () => {
  const minimal = await startMinimalServer({ concurrent_sessions: 20 })
  try {
    // Its rate limit counts by whole minutes, and an honoured Retry-After would be the longest part of the test.
    const { rate_limited: _, ...keys } = minimal.profile.keys
    const profile = { ...minimal.profile, keys, ca_file: newFile('ca.pem', minimal.ca_pem ?? '') }
    const { results } = await judgedRun({ profile, environment: minimal.environment })
    await expect.poll(() => minimal.openSessions()).toEqual([])
    expect([wrongIn(results), blockedIn(results)]).toEqual([[], []])
    expect(conclude(results).exit).toBe(0)
  } finally {
    await minimal.stop()
  }
})
