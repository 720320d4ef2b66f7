import type { Rule } from '#judge/rule'
import { saidOf } from './said-of.ts'
import { TraceBuilder } from './trace-builder.ts'

/** What rules call broken of a trace that `check` wrote, and of the same as a recording of somebody's client. */
export function brokenInBoth(
  rules: readonly Rule[],
  trace: TraceBuilder,
): { readonly run: readonly string[]; readonly recording: readonly string[] } {
  const recorded = new TraceBuilder({ recording: 'watch' })
  for (const entry of trace.entries.slice(1)) recorded.add(entry)
  const [run = [], recording = []] = [trace, recorded].map((one) =>
    [...saidOf(rules, one)].flatMap((said) => (said.startsWith('broken ') ? [said.slice('broken '.length)] : [])),
  )
  return { run, recording }
}
