import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { loadScenarios, loadWithJoint } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { printable } from '#text/printable'
import { findsFile } from '#scenario/plan/finds'
import { curveOf } from './curve.ts'
import { findAll } from './find-all.ts'
import { holds, isKilled, type Matrix, matrixOf } from './matrix.ts'
import { planProof, type ProofWishes } from './plan-proof.ts'
import { progress } from './progress.ts'
import { proofPage, validationLine } from './proof-page.ts'
import { proveValidations } from './prove-validations.ts'
import { loadOf, type Means, runAll } from './run-all.ts'
import { learnHints, readHints } from './shown-by.ts'
import { validationsNamed } from './validations.ts'

export interface ProveOptions extends ProofWishes {
  /** Folder for `proof.md`, `proof.json`, `shown-by.json` and `finds.json`; default `reports`. */
  readonly out: string
  readonly threads?: number
  /** Whether it is noted which scenarios find each defect: `finds.json`, and the curve on the page. */
  readonly finds: boolean
}

/**
 * Runs every defect and every variation of the reference target, and writes the kill matrix.
 *
 * @returns 0 when every defect is killed through its own requirement, every testable requirement has one, no correct
 * target is reported, and a requirement turns red without each validation that is not listed; else 1
 */
export async function prove(options: ProveOptions, shell: Shell): Promise<number> {
  const { defects, variations } = deviations()
  const hints = readHints(join(proofFolder(), hintFile))
  const scenarios = await loadScenarios()
  const plan = planProof(defects, variations, scenarios, { ...options, hints })
  const wanted = validationsNamed(options.only)
  const planned = plan.first.length + plan.variations.length + wanted.size
  if (planned === 0)
    throw usage(`nothing matches ${options.only.join(', ')}: see "npx greenroom list --defects" and "--variations"`)
  const interrupts = shell.interrupts()
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism()))
  const means: Means = {
    threads,
    load: loadOf(threads),
    signal: interrupts.signal,
    progress: (total) => progress(total, shell),
  }
  const keep = join(options.out, keptTraces)
  rmSync(keep, { recursive: true, force: true })
  const results = await runAll(plan, variations, { ...means, keep })
  const { seed } = options
  const switched = interrupts.signal.aborted || wanted.size === 0 ? undefined : { scenarios, seed, wanted }
  const validations = switched === undefined ? undefined : await proveValidations(switched, means)
  if (interrupts.signal.aborted) return 130
  const whole = options.only.length === 0 && options.share === undefined
  const matrix: Matrix = {
    ...matrixOf(results, whole),
    ...(validations === undefined ? {} : { validations }),
  }
  for (const line of oddities(matrix)) shell.err(`${line}\n`)
  mkdirSync(options.out, { recursive: true })
  writeMatrix(matrix, options.out)
  if (whole)
    writeWhole(join(options.out, hintFile), `${JSON.stringify(learnHints(plan.first, results, hints), undefined, 1)}\n`)
  shell.out(summary(matrix, whole, options.out))
  if (!whole || !options.finds) return exitCode(matrix)
  // What scenarios find each defect takes long: what was proven stands by now, whatever comes of this.
  const finds = await findAll(defects, scenarios, seed, means)
  if (interrupts.signal.aborted) return 130
  writeMatrix({ ...matrix, curve: curveOf(finds, await loadWithJoint()) }, options.out)
  writeWhole(join(options.out, findsFile), `${JSON.stringify(finds, undefined, 1)}\n`)
  return exitCode(matrix)
}

function writeMatrix(matrix: Matrix, out: string): void {
  writeWhole(join(out, 'proof.json'), `${JSON.stringify(matrix, undefined, 1)}\n`)
  writeWhole(join(out, 'proof.md'), proofPage(matrix))
}

const exitCode = (matrix: Matrix): number => (holds(matrix) ? 0 : 1)

/** What the next proof learns from this one: read where proofs go, since it is committed there. */
const hintFile = 'shown-by.json'

/** Folder of a proof for the traces of correct targets that were reported. */
const keptTraces = 'reported'

/** Where a proof goes when nobody says so. */
export const proofFolder = (): string => join(packageRoot(), 'reports')

function oddities({ broken, survivors, reported, second, validations }: Matrix): readonly string[] {
  return [
    ...broken.map(({ id, errors }) => `broken: ${id}: ${errors[0]?.split('\n')[0] ?? ''}`),
    ...survivors.map(({ id, verdict, reason = '' }) => `not killed: ${id}: ${verdict} (${reason.slice(0, 160)})`),
    ...reported.map(({ id, red, open, first_failure = '' }) =>
      `reported: ${id}: ${[...red, ...open].slice(0, 6).join('; ')} ${printable(first_failure, 300)}`.trimEnd(),
    ),
    ...second.map(({ id, at_first = '' }) => `a second run decided: ${id}: at first ${printable(at_first, 200)}`),
    ...(validations?.missed ?? []).map((id) => `not caught without it: ${id}`),
    ...(validations?.untried ?? []).map((id) => `nothing is refused for it alone: ${id}`),
    ...(validations?.needless ?? []).map((id) => `listed, and caught: ${id}`),
  ]
}

function summary(matrix: Matrix, whole: boolean, out: string): string {
  const killed = matrix.defects.filter(isKilled).length
  const proven = matrix.testable - matrix.unproven.length
  return [
    `${killed} of ${matrix.defects.length} defects killed through their own requirement`,
    `${matrix.excused.length} more cannot be seen on a target that answers at once`,
    ...(whole ? [`${proven} of ${matrix.testable} testable requirements proven`] : []),
    `${matrix.reported.length} of ${matrix.variations.length} correct targets reported`,
    ...(matrix.validations === undefined ? [] : [validationLine(matrix.validations)]),
    ...(matrix.broken.length === 0 ? [] : [`${matrix.broken.length} runs broke in themselves`]),
    ...(matrix.reported.length === 0 ? [] : [`what was reported is in ${join(out, keptTraces)}, for \`judge\``]),
    `see ${join(out, 'proof.md')}`,
    '',
  ].join('\n')
}
