import { beforeAll, expect, test } from 'vitest'
import type { Verdict } from '#judge/results'
import { conclude } from '#report/conclusion'
import type { Profile } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { openapi } from '#export/openapi'
import { WHOLE_RUN_MS } from '../hang.ts'
import { judgedRun } from '../judged-run.ts'
import { newFolder } from '../new-folder.ts'
import { startPrism } from './prism.ts'

const keys = { primary: 'KEY', same_workspace: 'SAME_KEY', other_workspace: 'OTHER_KEY' }
const environment = { KEY: 'sk-mock-0123456789', SAME_KEY: 'sk-mock-same-0123', OTHER_KEY: 'sk-mock-other-0123' }
const unlimited = { requests_per_minute: 60_000, concurrent_sessions: 20 }

const profile: Omit<Profile, 'base_url'> = {
  allow_insecure_loopback: true,
  keys,
  // Prism reads an upload of 10 MB as text, and answers nobody else meanwhile.
  abilities: { audio_files: false },
  media: { image_url: 'https://cdn.example/face.png', audio_url: 'https://cdn.example/voice.wav' },
  limits: { primary: unlimited, same_workspace: unlimited, other_workspace: unlimited },
  // Prism answers one request after the other, as quickly as the machine lets it.
  timeouts: { reply_ms: 10_000, event_ms: 200, closed_ms: 500, auto_close_grace_ms: 500, provisioning_ms: 500 },
}

const uncreated = 'no session was ever created in this run'

let run: Awaited<ReturnType<typeof judgedRun>>

/** A whole standard run against what Prism makes of our own document. */
beforeAll(async () => {
  const mock = await startPrism(openapi(), newFolder())
  try {
    run = await judgedRun({
      profile: { ...profile, base_url: mock.base_url },
      environment,
      cleanup_ms: 2_000,
      at_once: 4,
      // Sooner than vitest would leave the mock behind.
      signal: AbortSignal.timeout(WHOLE_RUN_MS / 2),
    })
  } finally {
    await mock.stop()
  }
}, WHOLE_RUN_MS)

const idsWith = (verdict: Verdict): readonly string[] =>
  run.results.requirements.filter((row) => row.verdict === verdict).map((row) => row.id)

const rowOf = (id: RequirementId) => run.results.requirements.find((row) => row.id === id)

test('the run against a mock ends by itself and finds it not conformant', () => {
  expect(run.end).toBe('completed')
  expect(run.results.harness_errors).toEqual([])
  expect(run.results.conformant).toBe(false)
  expect(conclude(run.results).exit).toBe(1)
})

test('a mock has one session for everybody, so it passes nothing', () => {
  expect(idsWith('pass')).toEqual([])
  expect(rowOf('avatar-sessions.session.id-unique')).toMatchObject({ verdict: 'fail' })
  expect(rowOf('avatar-sessions.idempotency.without-key-new-session')).toMatchObject({ verdict: 'fail' })
  expect(rowOf('avatar-sessions.get.unknown-session-rejected')).toMatchObject({ verdict: 'fail' })
})

test('each failure says in words what was expected and what came', () => {
  expect(rowOf('authentication.invalid-key.avatar-sessions')?.reason).toBe(
    'expected a rejection with code 10003, got code 0 (accepted)',
  )
  expect(rowOf('avatar-sessions.avatars.ids-echoed')?.reason).toMatch(/^expected avatars \[.+\], got \["host"\]$/)
  const failed = run.results.requirements.filter((row) => row.verdict === 'fail')
  expect(failed.filter((row) => !/^expected .+, got .+/s.test(row.reason ?? ''))).toEqual([])
  expect(failed.filter((row) => row.evidence.length === 0)).toEqual([])
})

test('what a mock rejects as the document says is not held against it', () => {
  expect(rowOf('limits.max-duration.three-rejected')).toMatchObject({ verdict: 'inconclusive', reason: uncreated })
  expect(rowOf('avatar-sessions.create.avatars-empty-rejected')).toMatchObject({ verdict: 'inconclusive' })
})

test('the control URL of an example is never opened', () => {
  const opened = run.trace.entries.filter((entry) => entry.kind === 'channel-open')
  const refused = run.trace.entries.filter((entry) => entry.kind === 'channel-refused')
  expect(opened.length).toBeGreaterThan(0)
  expect(refused).toHaveLength(opened.length)
  expect(new Set(refused.map((entry) => entry.reason))).toEqual(new Set(['unsafe-url']))
})
