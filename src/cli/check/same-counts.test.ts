import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { startTarget } from '#target/start'
import { HANG_MS, WHOLE_RUN_MS } from '#testing/hang'
import { columnsOf, countsIn, type ReportCounts } from '#testing/report-readers/report-counts'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

interface Run {
  readonly defects?: string[]
  /** Ids that the profile expects to fail. */
  readonly waived?: readonly string[]
  readonly only: readonly string[]
  /** Nobody listens any more. */
  readonly gone?: boolean
  /** Interrupted once the target has a session. */
  readonly interrupted?: boolean
}

interface Ran {
  readonly exit: number
  readonly results: Results
  readonly counts: ReportCounts
  readonly stdout: string
}

async function ran({ defects = [], waived = [], only, gone = false, interrupted = false }: Run): Promise<Ran> {
  const target = await startTarget({ defects })
  const place = join(folder, crypto.randomUUID())
  const [ca_file, out] = [`${place}.pem`, join(place, 'out')]
  writeFileSync(ca_file, target.ca_pem ?? '')
  const expected_failures = waived.map((id) => ({ id, reason: 'known', owner: 'us', expires: '9999-12-31' }))
  const { limits, media } = target
  const base_url = gone ? 'https://127.0.0.1:1' : target.base_url
  const profile = { base_url, ca_file, keys: { primary: 'GR_KEY' }, limits, media, expected_failures }
  writeFileSync(`${place}.json`, JSON.stringify(profile))
  const env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: place, GR_KEY: target.keys.primary }
  const shell = fakeShell(env)
  const kinds = ['junit', 'ctrf', 'github', 'allure'].flatMap((kind) => ['--report', kind])
  const rows = only.flatMap((id) => ['--only', id])
  try {
    const running = runProgram(['check', '--target', `${place}.json`, '--out', out, ...kinds, ...rows], shell)
    if (interrupted) {
      await expect.poll(() => target.openSessions(), { interval: 5, timeout: HANG_MS }).toBeGreaterThan(0)
      shell.interrupt()
    }
    const exit = await running
    const results: Results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
    return { exit, results, counts: countsIn(out, shell.stdout()), stdout: shell.stdout() }
  } finally {
    await target.stop()
  }
}

const three = 'limits.max-duration.three-rejected'

test.for<Run & { readonly kind: string; readonly exit: number; readonly errors: number }>([
  { kind: 'a green run', only: ['avatar-sessions.life-of-a-session'], exit: 0, errors: 0 },
  { kind: 'a waived run', only: [three], defects: [three], waived: [three], exit: 3, errors: 1 },
  { kind: 'an interrupted run', only: ['control-channel'], interrupted: true, exit: 130, errors: 1 },
  { kind: 'an unreachable target', only: ['voices'], gone: true, exit: 3, errors: 1 },
  {
    kind: 'a broken envelope',
    only: ['avatar-sessions.life-of-a-session', 'errors.envelope.message-string'],
    defects: ['errors.envelope.message-string'],
    exit: 1,
    errors: 0,
  },
])('$kind has the same counts in every report', { timeout: WHOLE_RUN_MS }, async ({ exit, errors, ...run }) => {
  const found = await ran(run)
  const { summary } = found.results
  const expected = columnsOf(found.results)
  expect(found.exit).toBe(exit)
  expect(found.results.requirements.length).toBeGreaterThan(0)
  // Where nobody answered the terminal has one sentence, and no table.
  if (run.gone === true) expect(found.stdout.trimEnd().split('\n')).toHaveLength(1)
  else expect(found.counts.terminal).toEqual(expected)
  expect(found.counts).toMatchObject({ summary: expected, allure: expected, junit: summary, ctrf: summary, errors })
  expect(found.counts.statuses).toEqual({
    passed: summary.pass,
    failed: summary.fail + errors,
    pending: expected['inconclusive'],
    skipped: summary.not_applicable + (expected['untestable'] ?? 0),
    other: summary.warn + summary.waived,
  })
})
