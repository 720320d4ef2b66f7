import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '#scenario/run/run-child'
import type { RecordedRun } from '#certificate/make'
import { openOutFolder } from '../check/out-folder.ts'
import { type CheckPlan, planCheck } from '../check/plan-check.ts'
import { recordRun } from '../check/record-run.ts'
import type { Subject } from '../check/subject.ts'
import { writeReports } from '../check/write-reports.ts'
import type { Shell } from '../shell.ts'

const seeds = 2 ** 31

/** A whole run of the tier `full`, as it is planned now. */
export function planFull(subject: Subject, seed: number = randomInt(seeds)): Promise<CheckPlan> {
  return planCheck(subject, { tier: 'full', only: [], seed })
}

/**
 * Runs twice, each run into a folder of its own below `--out`; the second only where the first one is conformant.
 *
 * @returns both runs, or the exit code of the one that is not conformant
 */
export async function twoRuns(
  subject: Subject,
  { out, journal }: { readonly out: string; readonly journal?: string },
  shell: Shell,
  signal: AbortSignal,
): Promise<readonly [RecordedRun, RecordedRun] | number> {
  return twice(async (seed, name) =>
    oneRun({ subject, plan: await planFull(subject, seed), folder: join(out, name), journal, shell, signal }),
  )
}

/**
 * Two runs with different seeds, one after the other; the second only where the first one brought something.
 *
 * @param run brings what the run with this seed recorded, or its exit code
 */
export async function twice<Recorded extends object>(
  run: (seed: number, name: 'run-1' | 'run-2') => Promise<Recorded | number>,
): Promise<readonly [Recorded, Recorded] | number> {
  const seed = randomInt(seeds)
  const one = await run(seed, 'run-1')
  if (typeof one === 'number') return one
  const two = await run((seed + randomInt(1, seeds)) % seeds, 'run-2')
  return typeof two === 'number' ? two : [one, two]
}

interface OneRun {
  readonly subject: Subject
  readonly plan: CheckPlan
  readonly folder: string
  readonly journal: string | undefined
  readonly shell: Shell
  readonly signal: AbortSignal
}

async function oneRun({ folder, ...run }: OneRun): Promise<RecordedRun | number> {
  const { shell } = run
  shell.err(`greenroom: the run in ${folder}\n`)
  const out = openOutFolder(folder)
  const child = startChild()
  try {
    const recorded = await recordRun({ ...run, out, child, verbose: false })
    if (recorded === undefined) return 130
    const { results, trace } = recorded
    const { embedded, named } = run.subject
    const reporting = { report: [], requireAll: false, embedded, named }
    const exit = await writeReports(results, trace.entries, out, reporting, shell)
    if (exit === 0) return { trace: readFileSync(out.trace), results }
    shell.err(`No certificate: the run in ${folder} ended with exit code ${exit}, see above.\n`)
    return exit
  } finally {
    child.stop()
    out.release()
  }
}
