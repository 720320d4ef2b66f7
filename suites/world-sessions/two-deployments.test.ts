import { expect, test } from 'vitest'
import { Run } from '#testing/hand-made-worlds'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

/** What one deployment has is no measure for the other: "features differ by model and deployment" (9.4). */
const brokenIn = (run: Run): readonly string[] =>
  [...saidOf(rules, run.trace)].filter((one) => one.startsWith('broken'))
const part = 'broken world-sessions.'

/** Sessions named `low` have 480p, whatever is asked. */
const lowResolution = (_: string, data: JsonObject): JsonObject =>
  JSON.stringify(data['session_id']).startsWith('"low')
    ? { ...data, output: { ...(data['output'] as JsonObject), resolution: '480p' } }
    : data

test('one deployment may have 720p, and another one not', () => {
  const high = new Run(lowResolution)
  high.create('high', { output: { resolution: '720p' } })
  high.by('other_workspace').create('low', {})
  high.create('low-wide', { output: { aspect_ratio: '16:9' } })
  expect(brokenIn(high)).toEqual([])
  high.by('primary').create('low-here', {})
  expect(brokenIn(high)).toEqual([`${part}output.resolution-default`])
})

test('the least life of one deployment may be longer than the usual one of another', () => {
  const expiring = (seconds: number) => (_: string, data: JsonObject) => ({
    ...data,
    expires_at: new Date(Date.parse('2026-01-15T12:00:00Z') + (data['session_id'] === 'short' ? 120 : seconds) * 1000)
      .toISOString()
      .replace('.000', ''),
  })
  const run = new Run(expiring(300))
  run.create('least', { max_session_duration_seconds: 20 })
  run.by('other_workspace').create('short', {})
  expect(brokenIn(run)).toEqual([])
  const alone = new Run(expiring(300))
  alone.create('least', { max_session_duration_seconds: 20 })
  alone.create('short', {})
  expect(brokenIn(alone)).toEqual([`${part}session.expires-at-within-request`])
})
