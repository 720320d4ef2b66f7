import type { Entry } from '#trace/entry'
import { type TraceWriter, withWrite } from '#trace/writer'

/** What the scenarios that are running now have written so far. */
export interface Recent {
  of(scenario: string): readonly Entry[]
}

/** Keeps the entries of each scenario from its start to its end, beside writing them. */
export function keepRecent(writer: TraceWriter): { readonly writer: TraceWriter; readonly recent: Recent } {
  const running = new Map<string, Entry[]>()
  const write: TraceWriter['write'] = (draft) => {
    const written = writer.write(draft)
    // Whoever runs now heard nothing meanwhile.
    if (draft.kind === 'halt') for (const entries of running.values()) entries.push({ ...draft, t: written.t })
    if (!('scenario' in draft) || draft.scenario === undefined) return written
    if (draft.kind === 'scenario-start') running.set(draft.scenario, [])
    if (draft.kind === 'scenario-end') running.delete(draft.scenario)
    else running.get(draft.scenario)?.push({ ...draft, t: written.t })
    return written
  }
  return {
    writer: withWrite(writer, write),
    recent: { of: (scenario) => running.get(scenario) ?? [] },
  }
}
