import { Worker } from 'node:worker_threads'
import type { RequirementResult } from '#judge/results'
import { ownFile } from '#spec/package-root'

/** Requirements that scenarios which have ended broke, as far as the trace tells yet. */
export interface FailedSoFar {
  /** How many. */
  readonly count: number
  /** Says that more has ended: the trace is judged again, unless that was done just now. */
  look(ended: ReadonlySet<string>): void
  /** Ids that were not handed out before. */
  fresh(): readonly string[]
  stop(): void
}

/** What the thread is asked. */
export interface Question {
  readonly trace: string
  readonly ended: readonly string[]
}

/** Judging a whole trace takes a good part of a second: so seldom it is done, in milliseconds. */
const pause = 8_000
/** A run that is over by then tells all that failed in a moment: it needs both cores for itself. */
const first = 20_000

export interface WatchOptions {
  /** Hears of all that failed so far, each time that it was looked for. */
  readonly heard?: (failed: ReadonlySet<string>) => void
  /** When it is looked for it first, in milliseconds from now. */
  readonly first_ms?: number
}

/**
 * Judges a trace that is still being written, in a thread of its own: an embedded target in this one must not wait. What
 * it says is for whoever watches; the verdict is that of the whole trace.
 */
export function watchFailures(trace: string, { heard = () => {}, first_ms = first }: WatchOptions = {}): FailedSoFar {
  const known = new Set<string>()
  const waiting: string[] = []
  let worker: Worker | undefined
  let [busy, due, seen] = [false, performance.now() + first_ms, 0]
  const start = (): Worker => {
    const one = new Worker(ownFile('./failed-worker', import.meta.url), { stderr: true })
    one.on('message', (failed: readonly string[]) => {
      busy = false
      for (const id of failed.filter((row) => !known.has(row))) {
        known.add(id)
        waiting.push(id)
      }
      heard(known)
    })
    // Nobody is told anything then, which costs no verdict.
    one.on('error', () => {})
    one.unref()
    return one
  }
  return {
    get count() {
      return known.size
    },
    look: (ended) => {
      if (busy || ended.size === seen || performance.now() < due) return
      busy = true
      seen = ended.size
      due = performance.now() + pause
      worker ??= start()
      worker.postMessage({ trace, ended: [...ended] } satisfies Question)
    },
    fresh: () => waiting.splice(0),
    stop: () => void worker?.terminate(),
  }
}

/** Rows that failed by what scenarios did that have ended: of the others more may come. */
export function failedBy(rows: readonly RequirementResult[], ended: ReadonlySet<string>): readonly string[] {
  const broke = ({ failures = [] }: RequirementResult): boolean =>
    failures.some(({ scenario }) => scenario !== undefined && ended.has(scenario))
  return rows.filter((row) => row.verdict === 'fail' && broke(row)).map(({ id }) => id)
}
