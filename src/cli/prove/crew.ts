import { Worker } from 'node:worker_threads'
import type { Job, JobResult } from './job.ts'

export interface CrewOptions {
  readonly threads: number
  /** Jobs side by side in each thread. */
  readonly at_once: number
  readonly signal: AbortSignal
  readonly done: (result: JobResult) => void
}

/** Runs all jobs over a few threads, those that wait longest first. Rejects when a thread breaks. */
export async function runJobs(jobs: readonly Job[], options: CrewOptions): Promise<JobResult[]> {
  const queue = jobs.toSorted((left, right) => right.waits - left.waits)
  const results: JobResult[] = []
  const threads = Array.from({ length: Math.min(options.threads, Math.max(1, jobs.length)) }, () =>
    serve(queue, results, options),
  )
  await Promise.all(threads)
  return results
}

function serve(queue: Job[], results: JobResult[], { at_once, signal, done }: CrewOptions): Promise<void> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const worker = new Worker(new URL(`./worker${extension}`, import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let running = 0
  const feed = (): void => {
    while (running < at_once && queue.length > 0 && !signal.aborted) {
      const job = queue.shift()
      if (job === undefined) break
      running += 1
      worker.postMessage(job)
    }
    if (running === 0) resolve()
  }
  worker.on('error', reject)
  worker.on('message', (message: 'ready' | JobResult) => {
    if (message !== 'ready') {
      running -= 1
      results.push(message)
      done(message)
    }
    feed()
  })
  return promise.finally(() => void worker.terminate())
}
