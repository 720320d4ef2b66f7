import type { Report, Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import type { TraceBuilder } from './trace-builder.ts'

/** What rules say of a trace, each once: `held <row>`, `broken <row>`, `unobserved <row>`, `saw <choice>: <what>`. */
export function saidOf(rules: readonly Rule[], trace: TraceBuilder): ReadonlySet<string> {
  const all = new Set<string>()
  const report: Report = {
    held: (row) => void all.add(`held ${row}`),
    broken: (row, { accident }) => void all.add(`${accident === undefined ? 'broken' : 'unobserved'} ${row}`),
    unobserved: (row) => void all.add(`unobserved ${row}`),
    saw: (choice, what) => void all.add(`saw ${choice}: ${what}`),
  }
  const index = indexTrace(trace.entries)
  for (const rule of rules) rule.judge(index, report)
  return all
}
