import { expect, test } from 'vitest'
import { renewed, Run } from '#testing/hand-made-worlds'
import { brokenInBoth } from '#testing/said-of-both'
import { descriptors } from './created/descriptors.rules.ts'
import { idempotency } from './idempotency/idempotency.rules.ts'
import { generation } from './life/generation.rules.ts'
import { lifecycle } from './life/status.rules.ts'

const broken = (run: Run): ReturnType<typeof brokenInBoth> =>
  brokenInBoth([generation, descriptors, idempotency, lifecycle], run.trace)

test('a client drives its session over the control channel, which no recording holds', () => {
  const run = new Run()
  const world = run.create('w-1', {})
  run.trace.pass(5_000)
  run.get(world, { runtime: { media_status: 'running', media_time_ms: 4_000 } })
  expect(broken(run)).toEqual({ run: ['world-sessions.continuation.manual-stays-held'], recording: [] })
})

test('a key that a recorded client uses again a day later is no retry, and one within a minute is', () => {
  const again = (pause_ms: number): Run => {
    const run = new Run()
    run.create('w-1', { idempotency_key: 'user-7' })
    run.trace.pass(pause_ms)
    run.create('w-2', { idempotency_key: 'user-7' })
    return run
  }
  const row = 'world-sessions.idempotency.retry-same-session'
  expect(broken(again(24 * 3_600_000))).toEqual({ run: [row], recording: [] })
  expect(broken(again(1_000))).toEqual({ run: [row], recording: [row] })
})

test('secrets that came under a key of before the recording may be old ones', () => {
  const run = new Run()
  run.create('w-1', {})
  run.trace.pass(3_600_000)
  const answer = { body: { code: 0, message: 'ok', data: renewed('w-1', 1) }, headers: { date: later } }
  run.trace.rest('create-client-secret', answer, { idempotency_key: 's' }, 'primary', secretsOf('w-1'))
  expect(broken(run).recording).toEqual([])
  expect(broken(run).run).toEqual([
    'world-sessions.client-secret.control-expires-at-in-future',
    'world-sessions.client-secret.media-expires-at-in-future',
  ])
})

const later = 'Thu, 15 Jan 2026 13:00:01 GMT'
const secretsOf = (id: string): string => `/v1/streaming-world/sessions/${id}/client-secrets`
