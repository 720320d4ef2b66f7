import type { Failure } from '#judge/results'
import type { Resend } from './curl.ts'
import { printable } from '#text/printable'

export interface FailurePlaces {
  readonly resend: Resend
  /** Path of the trace, as a reader would open it. */
  readonly trace: string
}

/** A failure on a few lines, for reports that show text as it is. */
export function failureText({ expected, got, evidence }: Failure, { resend, trace }: FailurePlaces): string {
  const again = resend(evidence)
  return [
    `expected: ${printable(expected)}`,
    `got: ${printable(got)}`,
    ...(again === undefined ? [] : [`again: ${printable(again, 6_000)}`]),
    `evidence: ${trace}:${evidence.join(', ')}`,
  ].join('\n')
}
