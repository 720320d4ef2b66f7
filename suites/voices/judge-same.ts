import type { Report } from '#judge/rule'
import type { Json } from '#trace/json'

interface Comparison {
  readonly expected: Json | undefined
  readonly got: Json | undefined
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

const longest = 200

/** One text that must be another. Nothing is judged where there is no text to expect. */
export function judgeSame(report: Report, row: string, { expected, got, lines, scenario }: Comparison): void {
  if (typeof expected !== 'string') return
  if (got === expected) report.held(row, ...lines)
  else report.broken(row, { expected: shown(expected), got: shown(got), lines, scenario })
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, longest)
}
