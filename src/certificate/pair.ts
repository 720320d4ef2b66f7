import type { Results } from '#judge/results'
import { agree } from './agreement.ts'
import { profileBytes } from './make.ts'

/** Why two runs do not bear each other out, in words; undefined where they do. */
export function whyNoPair(first: Results, second: Results): string | undefined {
  if (first.run.id === second.run.id || first.run.seed === second.run.seed)
    return 'both runs are the same one, or have the same seed'
  if (sameTime(first, second))
    return 'both runs went on at one time, and a second one begins when the first one is over'
  if (first.target.base_url !== second.target.base_url)
    return `the runs are of two targets, ${first.target.base_url} and ${second.target.base_url}`
  if (!profileBytes(first).equals(profileBytes(second))) return 'the runs are of two profiles'
  const { contradictions } = agree(first, second)
  const [one] = contradictions
  if (one === undefined) return undefined
  const others = contradictions.length === 1 ? '' : ` (and ${contradictions.length - 1} more)`
  return `the runs disagree about ${one.id}: ${one.first}, then ${one.second}${others}`
}

/** Whether the runs have more than half of the shorter one in common: a clock may be set anew between them. */
function sameTime({ run: first }: Results, { run: second }: Results): boolean {
  const [from, until] = [Date.parse(first.date), Date.parse(first.date) + first.duration_ms]
  const [begin, end] = [Date.parse(second.date), Date.parse(second.date) + second.duration_ms]
  return Math.min(until, end) - Math.max(from, begin) > Math.min(first.duration_ms, second.duration_ms) / 2
}

/** Two different secrets have one stand-in once in 10^12 times; the same secret has another one in each run. */
const mostAlike = 1

/** Whether one trace was made of the other: each run draws a salt of its own, so that no stand-in comes again. */
export function isCopy(first: Buffer, second: Buffer): boolean {
  const known = standInsIn(first)
  return [...standInsIn(second)].filter((one) => known.has(one)).length > mostAlike
}

/** @param trace its bytes: a stand-in has no letter that JSON writes in another way */
function standInsIn(trace: Buffer): ReadonlySet<string> {
  return new Set(trace.toString('utf8').match(/\[[\w.-]+ \d+\]/g))
}
