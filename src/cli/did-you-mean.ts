import { nearest, nearestFew } from '#scenario/plan/nearest'

/** `; did you mean "…"?` or nothing, to be put behind a complaint. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const found = nearest(typed, known)
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`
}

const suggested = 3

/** The same for ids of which many are alike: a few of those that are near or hold what was typed. */
export function didYouMeanOneOf(typed: string, known: Iterable<string>): string {
  const found = nearestFew(typed, known, suggested).map((id) => JSON.stringify(id))
  return found.length === 0 ? '.' : `; did you mean ${found.join(', or ')}?`
}
