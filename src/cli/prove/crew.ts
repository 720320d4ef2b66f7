import { Worker } from 'node:worker_threads'
import type { Job, JobResult } from './job.ts'

export interface CrewOptions {
  readonly threads: number
  /** How much each thread does side by side: a whole run weighs as much as several narrow ones. */
  readonly load: number
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

/** What a job asks of a thread: a run of everything keeps it busy, a narrow one mostly waits. */
function weightOf({ only }: Pick<Job, 'only'>): number {
  return only.length === 0 ? 4 : 1
}

function serve(queue: Job[], results: JobResult[], { load, signal, done }: CrewOptions): Promise<void> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const worker = new Worker(new URL(`./worker${extension}`, import.meta.url))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const running = new Map<string, number>()
  const weight = (): number => [...running.values()].reduce((sum, one) => sum + one, 0)
  const feed = (): void => {
    while (!signal.aborted) {
      const next = queue.findIndex((one) => running.size === 0 || weight() + weightOf(one) <= load)
      const [job] = next < 0 ? [] : queue.splice(next, 1)
      if (job === undefined) break
      running.set(job.id, weightOf(job))
      worker.postMessage(job)
    }
    if (running.size === 0) resolve()
  }
  worker.on('error', reject)
  worker.on('message', (message: 'ready' | JobResult) => {
    if (message !== 'ready') {
      running.delete(message.id)
      results.push(message)
      done(message)
    }
    feed()
  })
  return promise.finally(() => void worker.terminate())
}
