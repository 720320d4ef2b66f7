import type { EventLoopUtilization } from 'node:perf_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ownFile } from '#spec/package-root'
import type { Job, JobResult } from './job.ts'

/** How many runs each thread has side by side at most: of everything or much of it, narrow ones, and such as mostly wait. */
export interface Load {
  readonly whole: number
  readonly narrow: number
  readonly waiting: number
  /** Of everything or much of it while narrow ones wait: what these miss has to be run again, which better begins early. */
  readonly whole_beside: number
  /** What a thread may keep in memory, in megabytes. */
  readonly heap_mb: number
}

const kinds = ['whole', 'narrow', 'waiting'] as const
type Kind = (typeof kinds)[number]

export interface WorkerPoolOptions {
  readonly threads: number
  readonly load: Load
  readonly signal: AbortSignal
  /** Told of every result; returns what is to be run because of it. */
  readonly done: (result: JobResult, job: Job) => readonly Job[]
  /** Told of every thread that begins. */
  readonly started?: (thread: Worker) => void
}

/**
 * Runs all jobs over a few threads, those that wait longest first. Where a thread breaks, another one takes its place and
 * its jobs; rejects when a job loses its thread a second time. An abort ends it at once: its targets live in these
 * threads, so that nothing is left open.
 */
export async function runJobs(jobs: readonly Job[], options: WorkerPoolOptions): Promise<void> {
  const { threads, load, signal, done, started } = options
  const queue = inOrder(jobs)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-prove-'))
  const count = Math.min(threads, Math.max(1, jobs.length))
  const feed = (): void => {
    for (const worker of workers) worker.take(queue)
    if (queue.length === 0 && workers.every(({ idle }) => idle)) resolve()
  }
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  const watch = setInterval(() => {
    for (const worker of workers) worker.sampleLoad()
    feed()
  }, sampleMs)
  const goOnWith = (further: readonly Job[]): void => {
    if (further.length > 0) queue.splice(0, queue.length, ...inOrder([...queue, ...further]))
    feed()
  }
  const broken = new Set<string>()
  const start = (place: number): PoolWorker => {
    const worker = new PoolWorker(load, folder)
    worker.thread.on('error', (cause) => {
      const { running } = worker
      if (running.length === 0 || running.some(({ id }) => broken.has(id))) return reject(cause)
      for (const { id } of running) broken.add(id)
      workers[place] = start(place)
      goOnWith(running)
    })
    worker.thread.on('message', (message: 'ready' | JobResult) => {
      worker.ready = true
      goOnWith(message === 'ready' ? [] : done(message, worker.put(message.id)))
    })
    started?.(worker.thread)
    return worker
  }
  const workers = Array.from({ length: count }, (_, place) => start(place))
  try {
    await promise
  } finally {
    clearInterval(watch)
    await Promise.all(workers.map(({ thread }) => thread.terminate()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const inOrder = (jobs: readonly Job[]): Job[] => jobs.toSorted((left, right) => right.waits - left.waits)

/** Those that take long, and those that mostly wait, so that neither keeps the other from its turn. */
function kindOf({ only, tier, waits }: Pick<Job, 'only' | 'tier' | 'waits'>): Kind {
  if ((only.length === 0 && tier !== 'smoke') || only.length > 3) return 'whole'
  return waits >= longWait_s ? 'waiting' : 'narrow'
}

/** Who waits for so many seconds takes nothing from the others meanwhile. */
const longWait_s = 5

/** Milliseconds between two looks at how busy a thread is. */
const sampleMs = 1_000
/** A thread that has no more time than this left takes on no more: its targets would answer late. */
const saturated = 0.95
/** What even such a thread goes on with. */
const least = 4

/** Many objects die young: room for them saves much collecting of garbage. */
const young_mb = 256

/** A thread, and what it does at the moment. */
class PoolWorker {
  readonly thread: Worker
  ready = false
  readonly #load: Load
  readonly #running = new Map<string, Job>()
  #lastSample: EventLoopUtilization | undefined
  #busy = false

  /** @param folder for what its runs write, which may end in the middle */
  constructor(load: Load, folder: string) {
    const resourceLimits = { maxYoungGenerationSizeMb: young_mb, maxOldGenerationSizeMb: load.heap_mb }
    const env = { ...process.env, TMPDIR: folder, TEMP: folder }
    this.thread = new Worker(ownFile('./worker', import.meta.url), { resourceLimits, env })
    this.#load = load
  }

  get idle(): boolean {
    return this.#running.size === 0
  }

  /** What it was given and has not ended. */
  get running(): readonly Job[] {
    return [...this.#running.values()]
  }

  /** Looks how busy the thread was since the last time. */
  sampleLoad(): void {
    const { performance: its } = this.thread
    const now = its.eventLoopUtilization()
    if (this.#lastSample !== undefined)
      this.#busy = its.eventLoopUtilization(now, this.#lastSample).utilization > saturated
    this.#lastSample = now
  }

  /** Takes from the queue as much as it bears. */
  take(queue: Job[]): void {
    if (!this.ready) return
    const room = this.#room(queue.some((job) => kindOf(job) === 'narrow'))
    const left = queue.filter((job) => {
      const kind = kindOf(job)
      if (room[kind] <= 0) return true
      room[kind] -= 1
      this.#running.set(job.id, job)
      this.thread.postMessage(job)
      return false
    })
    if (left.length < queue.length) queue.splice(0, queue.length, ...left)
  }

  /** How many more of each kind it bears, while narrow ones wait or not. */
  #room(beside: boolean): Record<Kind, number> {
    const { whole, whole_beside, narrow, waiting } = this.#load
    const room = { whole: beside ? whole_beside : whole, narrow, waiting }
    for (const kind of kinds) {
      const running = this.running.filter((job) => kindOf(job) === kind).length
      room[kind] = (this.#busy ? Math.min(least, room[kind]) : room[kind]) - running
    }
    return room
  }

  /** Puts a job away that has ended. */
  put(id: string): Job {
    const job = this.#running.get(id)
    if (job === undefined) throw new Error(`a result of ${id}, which nobody asked for`)
    this.#running.delete(id)
    return job
  }
}
