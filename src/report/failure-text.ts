import type { Failure } from '#judge/results'
import type { Resend } from './curl.ts'
import { printable } from '#text/printable'

export interface FailurePlaces {
  readonly resend: Resend
  /** The command that sends the failure of a requirement again and judges it; undefined where there is no file for it. */
  readonly replay?: (requirement: string) => string | undefined
  /** Path of the trace, as a reader would open it. */
  readonly trace: string
}

/** A failure on a few lines, for reports that show text as it is. @param requirement named where it is its first failure */
export function failureText(
  { expected, got, evidence }: Failure,
  { resend, replay, trace }: FailurePlaces,
  requirement?: string,
): string {
  const again = resend(evidence, requirement)
  const file = requirement === undefined ? undefined : replay?.(requirement)
  return [
    `expected: ${printable(expected)}`,
    `got: ${printable(got)}`,
    ...(again === undefined ? [] : [`again: ${printable(again, 6_000)}`]),
    ...(file === undefined ? [] : [`replay: ${printable(file, 2_000)}`]),
    `evidence: ${trace}:${evidence.join(', ')}`,
  ].join('\n')
}
