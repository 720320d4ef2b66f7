import { readOnce } from '../read-once.ts'
import type { TraceIndex } from '../trace-index.ts'
import { workspaceOf } from '#spec/profile'
import { type Json, listAt, textAt } from '#trace/json'

/** Names of the tools in a conversation (2.5) that was sent, or is shown. */
export function toolsIn(value: Json | undefined): readonly string[] {
  return listAt(value, '/conversation/tools').flatMap((tool) => textAt(tool, '/name') ?? [])
}

/** By workspace and name: the line at which a create or a save first sent a tool. */
const firstSent = readOnce((trace: TraceIndex): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const all = new Map<string, Map<string, number>>()
  for (const { key, attempts } of trace.exchanges.values()) {
    const first = all.get(workspaceOf(key)) ?? new Map<string, number>()
    all.set(workspaceOf(key), first)
    for (const { request } of attempts) {
      for (const name of toolsIn(request.entry.body)) {
        first.set(name, Math.min(first.get(name) ?? request.line, request.line))
      }
    }
  }
  return all
})

/** The line at which a create or a save of a workspace first sent a tool, by the name of the tool. */
export function toolsFirstSent(trace: TraceIndex, workspace: string): ReadonlyMap<string, number> {
  return firstSent(trace).get(workspace) ?? new Map<string, number>()
}
