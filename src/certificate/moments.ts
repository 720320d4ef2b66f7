import type { Entry } from '#trace/entry'

/** One moment by two clocks, both as RFC 3339. */
export interface Moment {
  /** By the clock of the machine that ran Greenroom. */
  readonly ours: string
  /** By the `Date` header of the target's response. */
  readonly target: string
}

/** The first and the last response that say when they were made; none where the target never says it. */
export function momentsOf(entries: readonly Entry[]): readonly Moment[] {
  const begun = entries[0]?.kind === 'header' ? Date.parse(entries[0].date) : Number.NaN
  const first = entries.find((entry) => momentOf(entry, begun) !== undefined)
  const last = entries.findLast((entry) => momentOf(entry, begun) !== undefined)
  return [first, last].flatMap((entry) => (entry === undefined ? [] : (momentOf(entry, begun) ?? [])))
}

function momentOf(entry: Entry, begun: number): Moment | undefined {
  if (entry.kind !== 'response') return undefined
  const theirs = Date.parse(entry.headers['date'] ?? '')
  if (Number.isNaN(theirs) || Number.isNaN(begun)) return undefined
  return { ours: new Date(begun + entry.t).toISOString(), target: new Date(theirs).toISOString() }
}

/** How far the target's clock is from ours at most, in milliseconds; undefined where it never told its time. */
export function clocksApart(moments: readonly Moment[]): number | undefined {
  const apart = moments.map(({ ours, target }) => Math.abs(Date.parse(ours) - Date.parse(target)))
  return apart.length === 0 ? undefined : Math.max(...apart)
}
