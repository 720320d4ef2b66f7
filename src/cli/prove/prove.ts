import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../law/package-root.ts'
import { loadScenarios } from '../../scenario/catalogue.ts'
import { deviations } from '../../target/deviations.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { runJobs } from './crew.ts'
import type { Job, JobResult } from './job.ts'
import { holds, isExcused, isKilled, isReported, type Matrix, matrixOf } from './matrix.ts'
import { planProof, type ProofWishes } from './plan-proof.ts'
import { proofPage } from './proof-page.ts'

export interface ProveOptions extends ProofWishes {
  /** Folder for `proof.md` and `proof.json`; default `reports`. */
  readonly out: string
  readonly threads?: number
}

/** What a thread of this process bears without keeping targets waiting. */
const load = 24
/** For runs that decide: one whole run at a time in each thread. */
const quiet = 4

/**
 * Runs every defect and every variation of the reference target, and writes the kill matrix.
 *
 * @returns 0 when every defect is killed through its own requirement, every testable requirement has one, and no
 * correct target is reported; else 1
 */
export async function prove(options: ProveOptions, shell: Shell): Promise<number> {
  const { defects, variations } = deviations()
  const jobs = planProof(defects, variations, await loadScenarios(), options)
  if (jobs.length === 0)
    throw usage(`nothing matches ${options.only.join(', ')}: see "greenroom list --defects" and "--variations"`)
  const interrupts = shell.interrupts()
  const tell = progress(jobs.length, shell)
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism()))
  const crew = { threads, load, signal: interrupts.signal }
  const first = await runJobs(jobs, { ...crew, done: tell })
  const results = await again(first, jobs, (missed) =>
    runJobs(missed, { ...crew, load: quiet, done: progress(missed.length, shell) }),
  )
  if (interrupts.signal.aborted) return 130
  mkdirSync(options.out, { recursive: true })
  const matrix = matrixOf(results, options.only.length === 0)
  writeWhole(join(options.out, 'proof.json'), `${JSON.stringify(matrix, undefined, 1)}\n`)
  writeWhole(join(options.out, 'proof.md'), proofPage(matrix))
  shell.out(summary(matrix, options.out))
  return holds(matrix) ? 0 : 1
}

/**
 * What the scenarios of its own requirement did not show may show in a whole run: rules judge whatever any scenario makes
 * happen. And a correct target that was reported is asked once more while the threads are quiet: a busy machine answers
 * late. What comes out of the second run counts.
 */
async function again(
  results: readonly JobResult[],
  jobs: readonly Job[],
  run: (missed: readonly Job[]) => Promise<JobResult[]>,
): Promise<readonly JobResult[]> {
  const missed = new Set(results.filter((result) => isMissed(result) || isReported(result)).map((result) => result.id))
  const whole = jobs.filter((job) => missed.has(job.id)).map((job) => ({ ...job, only: [] }))
  if (whole.length === 0) return results
  return [...results.filter((result) => !missed.has(result.id)), ...(await run(whole))]
}

/** A defect that was not killed, on a target where it could be. */
function isMissed(result: JobResult): boolean {
  return result.kind === 'defect' && !isKilled(result) && !isExcused(result)
}

/** Where a proof goes when nobody says so. */
export const proofFolder = (): string => join(packageRoot(), 'reports')

function progress(total: number, shell: Shell): (result: JobResult) => void {
  const began = performance.now()
  let [ended, shown] = [0, 0]
  return (result) => {
    ended += 1
    const odd =
      result.kind === 'defect'
        ? !isKilled(result) && !isExcused(result)
        : result.red.length > 0 || result.conformant !== true
    if (odd) shell.err(`${shell.columns === undefined ? '' : '\r\u001b[K'}${oddity(result)}\n`)
    const seconds = (performance.now() - began) / 1_000
    if (shell.columns === undefined && ended < total && seconds - shown < 10) return
    shown = seconds
    const left = Math.round((seconds / ended) * (total - ended))
    const line = `${ended} of ${total} targets, ${(ended / seconds).toFixed(1)} a second, ${left} s left`
    shell.err(shell.columns === undefined ? `${line}\n` : `\r\u001b[K${line}${ended === total ? '\n' : ''}`)
  }
}

function oddity(result: JobResult): string {
  if (result.errors.length > 0) return `broken: ${result.id}: ${result.errors[0]?.split('\n')[0] ?? ''}`
  if (result.kind === 'defect')
    return `not killed: ${result.id}: ${result.verdict} (${(result.reason ?? '').slice(0, 160)})`
  return `reported: ${result.id}: ${[...result.red, ...result.open].slice(0, 6).join('; ')}`
}

function summary(matrix: Matrix, out: string): string {
  const killed = matrix.defects.filter(isKilled).length
  const proven = matrix.testable - matrix.unproven.length
  return [
    `${killed} of ${matrix.defects.length} defects killed through their own requirement`,
    `${matrix.excused.length} more cannot be seen on a target that answers at once`,
    `${proven} of ${matrix.testable} testable requirements proven`,
    `${matrix.reported.length} of ${matrix.variations.length} correct targets reported`,
    ...(matrix.broken.length === 0 ? [] : [`${matrix.broken.length} runs broke in themselves`]),
    `see ${join(out, 'proof.md')}`,
    '',
  ].join('\n')
}
