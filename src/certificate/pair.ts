import type { Results } from '#judge/results'
import { agree } from './agreement.ts'
import { profileBytes } from './make.ts'

/** Why two runs do not bear each other out, in words; undefined where they do. */
export function whyNoPair(first: Results, second: Results): string | undefined {
  if (first.run.id === second.run.id || first.run.seed === second.run.seed)
    return 'both runs are the same one, or have the same seed'
  if (first.target.base_url !== second.target.base_url)
    return `the runs are of two targets, ${first.target.base_url} and ${second.target.base_url}`
  if (!profileBytes(first).equals(profileBytes(second))) return 'the runs are of two profiles'
  const { contradictions } = agree(first, second)
  const [one] = contradictions
  if (one === undefined) return undefined
  const others = contradictions.length === 1 ? '' : ` (and ${contradictions.length - 1} more)`
  return `the runs disagree about ${one.id}: ${one.first}, then ${one.second}${others}`
}
