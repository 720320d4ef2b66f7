export type Verdict = 'pass' | 'fail' | 'invalid'

/** Something that speaks against the target, or against the run. */
export interface Finding {
  /** In words, with its numbers. */
  readonly text: string
  /** Id of the requirement that it breaks, where there is one. */
  readonly requirement?: string
}

export interface Findings {
  /** The target's in any case, such as events out of their order. */
  readonly broken: readonly Finding[]
  /** The target's when the generator was healthy, such as what took too long. */
  readonly trouble: readonly Finding[]
  /** Why the run says nothing about the target. */
  readonly invalid: readonly Finding[]
  /** What has to be known beside the verdict, and changes nothing in it: what was not judged, and why. */
  readonly notes?: readonly Finding[]
}

export interface Judgement {
  readonly verdict: Verdict
  /** Why it is not `pass`; also what stood against the target in a run that is `invalid`. */
  readonly findings: readonly Finding[]
}

export const nothingFound: Findings = { broken: [], trouble: [], invalid: [] }

export function join(all: readonly Findings[]): Findings {
  return {
    broken: all.flatMap(({ broken }) => broken),
    trouble: all.flatMap(({ trouble }) => trouble),
    invalid: all.flatMap(({ invalid }) => invalid),
    notes: all.flatMap(({ notes = [] }) => notes),
  }
}

/** `fail` when the target did wrong, `invalid` when the run was not what it had to be. */
export function judgementOf({ broken, trouble, invalid }: Findings): Judgement {
  if (broken.length > 0) return { verdict: 'fail', findings: [...broken, ...trouble, ...invalid] }
  if (invalid.length > 0) return { verdict: 'invalid', findings: [...invalid, ...trouble.map(unconfirmed)] }
  return { verdict: trouble.length > 0 ? 'fail' : 'pass', findings: trouble }
}

/** What a run saw that says nothing by itself: whoever reads why it is invalid has to know that there was more. */
const unconfirmed = (finding: Finding): Finding => ({
  ...finding,
  text: `seen all the same, to be confirmed by a run that is valid: ${finding.text}`,
})

/** "once", "3 times" */
export const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** What is lost by no fault is told where it is more than this share of what was begun. */
const LOST = 0.01

/** A service may end sessions by itself (3.1), so that they say nothing of it. */
export function endedByService(count: number, of: number, what: string): Finding[] {
  return lostFor(count, of, `${what} were ended by the service itself, which it may do (3.1)`)
}

/** What ended in a way that says nothing of the service; of few of them nothing need be said. @param what and how it ended */
export function lostFor(count: number, of: number, what: string): Finding[] {
  const text = `${count} of ${of} ${what}, and say nothing of how it bears load: run it again`
  return count <= LOST * of ? [] : [{ text }]
}

/** As `some`, for what a service may fail in at times: of so few of all nothing is said. */
export const manyOf = (count: number, of: number, what: string): Finding[] => some(count <= LOST * of ? 0 : count, what)

/** "3 conversations were cut off", "1 conversation was cut off"; nothing for none. @param what as it is said of several */
export function some(count: number, what: string, requirement?: string): Finding[] {
  if (count === 0) return []
  const one = /^(?!of )((?:\w+ ){0,2}?\w+)s (were )?/
  const said = count === 1 ? what.replace(one, (_, noun, were) => `${noun} ${were === undefined ? '' : 'was '}`) : what
  return [{ text: `${count} ${said}`, ...(requirement === undefined ? {} : { requirement }) }]
}
