import { existsSync, readFileSync } from 'node:fs'
import type { Job, JobResult } from './job.ts'
import { isKilled } from './matrix.ts'

/**
 * What the last proof of everything learned about defects that the cheapest scenario of their row does not show: the id of
 * the scenario that does, that of the row where its scenarios do together, or null where only a run of everything did. It
 * saves time and decides nothing.
 */
export type Hints = { readonly [defect: string]: string | null }

/** Hints of an earlier proof; none where there is no such file, or no longer such a one. */
export function readHints(file: string): Hints {
  if (!existsSync(file)) return {}
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof read === 'object' && read !== null ? (read as Hints) : {}
  } catch {
    return {}
  }
}

/** The hints for the next proof, from the jobs as they were planned and what became of them. */
export function learnHints(jobs: readonly Job[], results: readonly JobResult[], known: Hints): Hints {
  const planned = new Map(jobs.map((job) => [job.id, job]))
  const learned = results.flatMap((result) => {
    const job = planned.get(result.id)
    const lesson = job === undefined ? undefined : lessonOf(job, result, known)
    return lesson === undefined ? [] : [[result.id, lesson] as const]
  })
  return Object.fromEntries(learned.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** @returns undefined where nothing need be known: the plan's own first way showed it. */
function lessonOf(job: Job, result: JobResult, known: Hints): string | null | undefined {
  if (!isKilled(result) || job.variations.length > 0) return undefined
  const before = Object.hasOwn(known, job.id) ? known[job.id] : undefined
  if (result.only?.join() === job.only.join() && result.tier === job.tier) return before
  if (before === undefined) return result.shown_by ?? null
  // The hint was wrong: now it is known what shows it, or that several scenarios or all of them do only together.
  if (result.only?.length === 0) return null
  return result.only?.join() === job.requirement ? job.requirement : undefined
}
