import { type Requirement, requirements } from '#spec/register'
import { served } from '#target/profile'
import type { CurvePoint } from './curve.ts'
import type { JobResult } from './job.ts'
import { type ValidationProof, validationsHold } from './validations.ts'

/** The proof: what each defect turned red, what each variation got, and what is missing. */
export interface Matrix {
  readonly defects: readonly JobResult[]
  readonly variations: readonly JobResult[]
  /** Defects that their own requirement did not catch. */
  readonly survivors: readonly JobResult[]
  /** Defects that a target which answers at once gives no chance to see; they are killed on the slower one. */
  readonly excused: readonly JobResult[]
  /** Correct targets that were called wrong, or could not be judged. */
  readonly reported: readonly JobResult[]
  /** Of both: what a second run on quiet threads decided. */
  readonly second: readonly JobResult[]
  /** Testable rows without a defect of their own. */
  readonly unproven: readonly string[]
  /** Jobs that broke in themselves. */
  readonly broken: readonly JobResult[]
  readonly testable: number
  /** Validations switched off alone, where such were asked for. */
  readonly validations?: ValidationProof
  /** What a gate finds for what it may spend, where all was proven. */
  readonly curve?: readonly CurvePoint[]
}

/** Sorts the results out. `whole`: every defect ran, so that rows without one can be told. */
export function matrixOf(results: readonly JobResult[], whole: boolean): Matrix {
  const sorted = results.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const defects = sorted.filter((result) => result.kind === 'defect')
  const variations = sorted.filter((result) => result.kind === 'variation')
  const proven = new Set(defects.filter(isKilled).map((result) => result.requirement))
  const testable = [...requirements.values()].filter(isTestable)
  return {
    defects,
    variations,
    survivors: defects.filter((result) => !isKilled(result) && !isExcused(result)),
    excused: defects.filter(isExcused),
    reported: variations.filter(isReported),
    second: sorted.filter(({ at_first }) => at_first !== undefined),
    unproven: whole ? testable.filter((row) => !proven.has(row.id)).map((row) => row.id) : [],
    broken: sorted.filter((result) => result.errors.length > 0),
    testable: testable.length,
  }
}

/** Something can break it, and the reference target serves what it speaks about. */
function isTestable(row: Requirement): boolean {
  const away = (row.abilities ?? []).some((ability) => !served[ability])
  return row.standing !== 'untestable' && row.level !== 'may' && !away
}

/** The defect's own requirement came out red. */
export function isKilled(result: JobResult): boolean {
  return result.verdict === 'fail' || result.verdict === 'warn'
}

/**
 * On a target that answers at once there may be nothing to see: no busy response to interrupt, no text to cut. Then the
 * row has to say so: one that passes there was taken for granted. Only a further defect of a row (`~`) may leave it
 * standing on what else can be seen of it.
 */
export function isExcused(result: JobResult): boolean {
  if (!result.variations.includes('instant') || isKilled(result) || result.errors.length > 0) return false
  return result.verdict === 'inconclusive' || result.id.includes('~')
}

/** A correct target was called wrong, or could not be judged. */
export function isReported(result: JobResult): boolean {
  return result.kind === 'variation' && (result.red.length > 0 || result.conformant !== true)
}

/** Whether the proof holds. */
export function holds(matrix: Matrix): boolean {
  const { survivors, reported, unproven, broken, validations } = matrix
  if (validations !== undefined && !validationsHold(validations)) return false
  return [survivors, reported, unproven, broken].every((list) => list.length === 0)
}
