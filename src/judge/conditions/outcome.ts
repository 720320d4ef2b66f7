import type { ReasonCode } from '#trace/entry'

/** What became of a condition: three values, with the reason or the two sides. */
export type Outcome = { readonly state: 'held'; readonly lines: readonly number[] } | Broken | Unobserved

interface Broken {
  readonly state: 'broken'
  readonly expected: string
  readonly got: string
  readonly lines: readonly number[]
  /** It is no accident, though it is a failure of the service's own. */
  readonly isProven?: true
}

interface Unobserved {
  readonly state: 'unobserved'
  readonly code: ReasonCode
  readonly why: string
  readonly lines: readonly number[]
  /** Whoever still watches knows at this time of the run, in milliseconds. */
  readonly pending?: number
  /** What it says against the target where this comes each time. */
  readonly eachTime?: Accident & { readonly times: number }
}

/** What may have come by accident. */
interface Accident {
  readonly expected: string
  readonly got: string
  /** How often it came in a row; default once. */
  readonly times?: number
  /** How often such a thing comes by accident in this run, as a share, where the trace tells. */
  readonly rate?: number
}

export const held = (...lines: readonly number[]): Outcome => ({ state: 'held', lines: real(lines) })

export const broken = (expected: string, got: string, ...lines: readonly number[]): Broken => ({
  state: 'broken',
  expected,
  got,
  lines: real(lines),
})

/** The same where its words are costly: what is broken may be one way of several, and then nobody reads them. */
export const brokenInWords = (expected: () => string, got: () => string, ...lines: readonly number[]): Outcome => ({
  state: 'broken',
  get expected() {
    return expected()
  },
  get got() {
    return got()
  },
  lines: real(lines),
})

export const unobserved = (code: ReasonCode, why: string, ...lines: readonly number[]): Unobserved => ({
  state: 'unobserved',
  code,
  why,
  lines: real(lines),
})

/** What may have come by accident, for this reason: it speaks against the target only where it comes each time. */
export const onlyEachTime = (
  why: string,
  { times = 1, ...accident }: Accident,
  ...lines: readonly number[]
): Unobserved => ({ ...unobserved('network', why, ...lines), eachTime: { ...accident, times } })

/** Of what was never written the line is 0; most of it was. */
function real(lines: readonly number[]): readonly number[] {
  return lines.includes(0) ? lines.filter((line) => line > 0) : lines
}
