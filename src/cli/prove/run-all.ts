import type { Variation } from '#target/deviation'
import { type Load, runJobs } from './worker-pool.ts'
import type { Job, JobResult } from './job.ts'
import { isExcused, isKilled, isReported } from './matrix.ts'
import { type ProofPlan, waitOfWider, withinReach } from './plan-proof.ts'
import type { Progress } from './progress.ts'

export interface Means {
  readonly threads: number
  readonly signal: AbortSignal
  readonly progress: (total: number) => Progress
  /** What a thread bears without keeping targets waiting. */
  readonly load: Load
  /** Folder for the traces of correct targets that are reported in the end. */
  readonly keep?: string
}

/** A target that is run whole, its record and what judges it take no more than so many bytes. */
const wholeRun = 200_000_000

/** What Node gives a thread by itself where there is memory enough. */
const usualHeap_mb = 4_096

/** More only keep each other waiting, until what a target answers in time seems late. */
const mostWhole = 12

/** What each of so many threads bears, where this process may use so many bytes: whole runs fill up to half of them. */
export function loadOf(threads: number, bytes: number = process.availableMemory()): Load {
  const whole = Math.max(2, Math.min(mostWhole, Math.floor(bytes / 2 / threads / wholeRun)))
  const heap_mb = Math.max(usualHeap_mb, Math.ceil((1.5 * whole * wholeRun) / 1_000_000))
  return { whole, narrow: 48, waiting: 48, whole_beside: Math.min(6, whole), heap_mb }
}

/** For runs that decide. */
export const quiet: Load = { whole: 2, narrow: 2, waiting: 2, whole_beside: 2, heap_mb: usualHeap_mb }

/**
 * First each defect beside the cheapest scenario that can show it, and beside more while nothing shows it; correct
 * targets as soon as the reference has told what can see them. In the end whoever was missed or reported has another run,
 * or another series of runs, on quiet threads, since a busy machine answers late. The last run of each counts.
 */
export async function runAll(plan: ProofPlan, variations: readonly Variation[], means: Means): Promise<JobResult[]> {
  const latest = new Map<string, JobResult>()
  const keep = ({ visits: _visits, ...result }: JobResult): void => void latest.set(result.id, result)
  const all = [...plan.first, ...plan.variations]
  const told = means.progress(all.length)
  await runJobs(plan.first.some(isReference) ? plan.first : all, {
    ...means,
    done(result, job) {
      keep(result)
      const next = wider(result, job)
      if (next === undefined) told()
      else return [next]
      return result.visits === undefined ? [] : withinReach(plan.variations, variations, result.visits)
    },
  })
  const open = all.filter(({ id }) => isOpen(latest.get(id)))
  if (open.length === 0 || means.signal.aborted) return [...latest.values()]
  const first = new Map([...latest].map(([id, result]) => [id, leftOpen(result)]))
  const again = means.progress(open.length)
  const kept = means.keep === undefined ? {} : { keep: means.keep }
  const jobs = open.map((job) => ({ ...job, ...kept }))
  await runJobs(jobs, {
    ...means,
    load: quiet,
    done(result, job) {
      keep({ ...result, at_first: first.get(job.id) ?? '' })
      const next = wider(result, job)
      if (next === undefined) again()
      return next === undefined ? [] : [next]
    },
  })
  return [...latest.values()]
}

function isReference({ kind, variations }: Job): boolean {
  return kind === 'variation' && variations.length === 0
}

/** The same defect beside more, where that did not show it and there is more. */
function wider(result: JobResult, job: Job): Job | undefined {
  const [next, ...rest] = isMissed(result) ? job.wider : []
  return next === undefined ? undefined : { ...job, ...next, wider: rest, waits: waitOfWider }
}

/** It needs another look. */
function isOpen(result: JobResult | undefined): boolean {
  return result !== undefined && (isMissed(result) || isReported(result))
}

/** Why it needs another look, in a line. */
function leftOpen({ verdict, reason = '', red, open, first_failure }: JobResult): string {
  return verdict === undefined ? (first_failure ?? [...red, ...open].join('; ')) : `${verdict} (${reason})`
}

/** A defect that was not killed, on a target where it could be. */
function isMissed(result: JobResult): boolean {
  return result.kind === 'defect' && !isKilled(result) && !isExcused(result)
}
