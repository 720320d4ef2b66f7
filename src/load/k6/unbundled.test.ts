import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LoadPart } from '../../../load/core/summary.ts'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from '#testing/hang'
import { findK6 } from './binary.ts'
import { runK6 } from './run.ts'
import { newFolder } from '#testing/new-folder'

const k6 = findK6()

// `greenroom load` gives k6 one file; whoever works on a script runs it as it stands, where files can be read at the start only.
test.runIf('path' in k6)('k6 runs a script as it stands', { timeout: WHOLE_RUN_MS }, async () => {
  const folder = newFolder()
  const target = await startTarget({ tls: false, seed: 1 })
  onTestFinished(async () => {
    await target.stop()
  })
  const run = {
    k6: 'path' in k6 ? k6.path : '',
    script: 'control-throughput.ts',
    environment: {
      GREENROOM_TARGET: target.base_url,
      GREENROOM_KEYS: JSON.stringify([
        { name: 'primary', env: 'GREENROOM_KEY_0', requests_per_minute: 6_000, minute_ms: 60_000 },
      ]),
      GREENROOM_KEY_0: target.keys.primary,
      GREENROOM_SCALE: JSON.stringify({ stages: [{ seconds: 2, rate: 1 }] }),
      GREENROOM_RUN: 'unbundled',
    },
    partFile: join(folder, 'part.json'),
    segment: undefined,
    deadlineMs: WHOLE_RUN_MS,
    signal: new AbortController().signal,
  }
  const { output } = await runK6(run)
  expect(output).toContain('control-throughput · smoke · 1 k6')
  // The same command once more, as it stands in a manifest or in somebody's shell: its sessions are new ones.
  const { part } = await runK6(run)
  const { tallies } = part as LoadPart
  expect(tallies['control-throughput']?.['updates']).toMatchObject({ done: expect.any(Number) })
  expect(target.openSessions()).toBe(0)
})
