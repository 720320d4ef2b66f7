import type { Failure, RequirementResult } from '#judge/results'

/** Broken rows that have one cause: the one that showed first, and those that follow from it. */
export interface Cause {
  readonly first: RequirementResult
  readonly more: readonly RequirementResult[]
}

/** From this many rows with the same words on, they are taken for one mistake that shows in many places. */
const alike = 3

/**
 * Groups broken rows by what broke them: the same words about what was expected and what came, wherever it was; else the
 * same answer or frame. What showed first in the run comes first, and what failed before what warned.
 */
export function causesOf(rows: readonly RequirementResult[]): readonly Cause[] {
  const ordered = rows.toSorted((a, b) => rank(a) - rank(b) || seenAt(a) - seenAt(b) || compare(a.id, b.id))
  const sizes = Map.groupBy(ordered, wordsOf)
  const nameOf = (row: RequirementResult): string =>
    (sizes.get(wordsOf(row))?.length ?? 0) >= alike ? wordsOf(row) : `${row.verdict} line ${seenAt(row)}`
  return [...Map.groupBy(ordered, nameOf).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ first, more }],
  )
}

/** Things of one kind that are left for the same reason, first ones first. */
export function leftAlike<Left extends { readonly resource: string; readonly reason: string }>(
  leaked: readonly Left[],
): readonly (readonly Left[])[] {
  return [...Map.groupBy(leaked, ({ resource, reason }) => `${resource} ${generic(reason)}`).values()]
}

function rank({ verdict }: RequirementResult): number {
  return verdict === 'fail' ? 0 : 1
}

/** When the breach was complete: the last line of its evidence. */
function seenAt(row: RequirementResult): number {
  const lines = firstOf(row)?.evidence ?? row.evidence
  return lines.reduce((last, line) => Math.max(last, line), 0) || Number.MAX_SAFE_INTEGER
}

function firstOf({ failures = [] }: RequirementResult): Failure | undefined {
  return failures[0]
}

function wordsOf(row: RequirementResult): string {
  const failure = firstOf(row)
  const words = failure === undefined ? row.reason : `${failure.expected} / ${failure.got}`
  return `${row.verdict} ${generic(words)}`
}

/** Without what differs from place to place: numbers, ids and values. */
function generic(text: string): string {
  return text
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b[\w-]*\d[\w-]*\b/g, (word) => (/^\d{5}$/.test(word) ? word : '#'))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
