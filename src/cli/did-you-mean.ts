import { nearest } from '#scenario/plan/nearest'

/** `; did you mean "…"?` or nothing, to be put behind a complaint. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const found = nearest(typed, known)
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`
}
