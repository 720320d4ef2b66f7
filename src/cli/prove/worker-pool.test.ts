import { readdirSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WHOLE_RUN_MS } from '#testing/hang'
import type { Job } from './job.ts'
import { quiet } from './run-all.ts'
import { runJobs } from './worker-pool.ts'
import { newFolder } from '#testing/new-folder'

/** What Node does with a thread that has no memory left. */
function breakThread(thread: Worker): void {
  thread.emit('error', new Error('no memory is left'))
  void thread.terminate()
}

test('another thread takes the runs of one that breaks', { timeout: WHOLE_RUN_MS }, async () => {
  const threads: Worker[] = []
  const ended: string[] = []
  const missing = ['authentication.missing-key.avatar-sessions']
  await runJobs([jobOf('first', missing), jobOf('second', missing)], {
    threads: 1,
    load: quiet,
    signal: new AbortController().signal,
    started: (thread) => {
      threads.push(thread)
      if (threads.length === 1) thread.once('message', () => breakThread(thread))
    },
    done: ({ id, errors }) => {
      ended.push([id, ...errors].join(' '))
      return []
    },
  })
  expect([ended.toSorted(), threads.length]).toEqual([['first', 'second'], 2])
})

test('a run that breaks a second thread ends all', { timeout: WHOLE_RUN_MS }, async () => {
  const threads: Worker[] = []
  const running = runJobs([jobOf('whole', [])], {
    threads: 1,
    load: quiet,
    signal: new AbortController().signal,
    started: (thread) => {
      threads.push(thread)
      thread.once('message', () => breakThread(thread))
    },
    done: () => [],
  })
  await expect(running).rejects.toThrow('no memory is left')
  expect(threads).toHaveLength(2)
})

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
