import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WHOLE_RUN_MS } from '#testing/hang'
import type { Job } from './job.ts'
import { quiet } from './run-all.ts'
import { runJobs } from './worker-pool.ts'
import { newFolder } from '#testing/new-folder'

test('an abort ends the runs that go on, and nothing of them is left', { timeout: WHOLE_RUN_MS }, async () => {
  const folder = newFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const controller = new AbortController()
  const ended: (readonly [id: string, folders: number])[] = []
  const jobs = [jobOf('short', ['authentication.missing-key.avatar-sessions']), jobOf('whole', [])]
  await runJobs(jobs, {
    threads: 1,
    load: quiet,
    signal: controller.signal,
    done: ({ id }) => {
      ended.push([id, readdirSync(folder).length])
      controller.abort('SIGINT')
      return []
    },
  })
  expect(ended).toEqual([['short', 1]])
  expect(readdirSync(folder)).toEqual([])
})

function jobOf(id: string, only: readonly string[]): Job {
  return { id, kind: 'variation', defects: [], variations: [], tier: 'standard', only, wider: [], seed: 1, waits: 0 }
}
