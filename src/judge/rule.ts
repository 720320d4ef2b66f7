import type { TraceIndex } from './trace-index.ts'

/** What speaks against a requirement. */
export interface Breach {
  readonly expected: string
  readonly got: string
  readonly lines: readonly number[]
  readonly scenario?: string | undefined
  /** Why it may have come by accident: then it speaks against the requirement only where it comes each time. */
  readonly accident?: string
}

/** Where a rule says what it saw. */
export interface Report {
  /** One observation that bears the requirement out. */
  held(requirement: string, ...lines: readonly number[]): void
  broken(requirement: string, breach: Breach): void
  /** Something that should have been judged could not be: why. */
  unobserved(
    requirement: string,
    code: 'network' | 'quota' | 'prerequisite' | 'model_choice',
    why: string,
    ...lines: readonly number[]
  ): void
  /** What the target was seen to do where the spec leaves it open. Never judged. */
  saw(choice: string, what: string, ...lines: readonly number[]): void
}

/** A passive rule: judges every matching entry of a trace, whichever scenario caused it. Pure: no clock, no network. */
export interface Rule {
  readonly id: string
  /** Requirements and choices that it speaks about. */
  readonly proves: readonly string[]
  judge(trace: TraceIndex, report: Report): void
}
