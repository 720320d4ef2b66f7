import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { judge } from '#judge/judge'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { readTrace } from '#trace/reader'
import type { Job } from './job.ts'
import { runJob } from './run-job.ts'
import { newFolder } from '#testing/new-folder'

const suites = { scenarios: await loadScenarios(), rules: await loadRules() }

test('a correct target that is reported leaves its trace, and says why', async () => {
  const keep = newFolder()
  const job: Job = {
    id: 'one + other',
    kind: 'variation',
    // A mistake stands for a legal choice that is taken for one.
    defects: ['authentication.missing-key.avatar-sessions'],
    variations: [],
    tier: 'standard',
    only: ['authentication.avatar-sessions'],
    wider: [],
    seed: 1,
    waits: 0,
    keep,
  }
  const { red, first_failure } = await runJob(job, suites)
  expect(red).toContain('authentication.missing-key.avatar-sessions')
  expect(first_failure).toMatch(/^expected .+, got .+ \(authentication\.avatar-sessions\)$/)
  expect(readdirSync(keep)).toEqual(['one+other.ndjson'])
  const kept = judge(readTrace(join(keep, 'one+other.ndjson')), register(), suites.rules)
  expect(kept.requirements.find(({ id }) => id === red[0])?.verdict).toBe('fail')
})
