import { isMishap } from '#spec/tables'
import { textAt } from '#trace/json'
import { type Call, callOf } from '../calls.ts'
import { worldEndedByItself } from '../conditions/world-ended.ts'
import { endedByItself } from '../sessions/session-end.ts'
import { sessionIn } from '../sessions/session-in.ts'
import type { TraceIndex } from '../trace-index.ts'
import { textOf } from './bodies.ts'
import type { Deed } from './key-model.ts'

/** Operations that make sessions with a key, and end them. */
export interface KeyedOperations {
  readonly create: string
  readonly close: string
}

/** All that was done with one idempotency key, in the order of asking. */
export interface Keyed {
  readonly deeds: readonly Deed[]
}

interface Asked {
  readonly operation: string
  readonly path: string
  readonly call: Call
}

/** What was done with each key. Whether it counts for all API keys of a workspace or for the one that sent it is not said. */
export function keyedIn(trace: TraceIndex, by: KeyedOperations): readonly Keyed[] {
  const calls = callsIn(trace, by)
  const groups = new Map<string, Deed[]>()
  for (const { operation, call } of calls) {
    const key = operation === by.create ? textAt(call.asked, '/idempotency_key') : undefined
    const deed = key === undefined ? undefined : creation(call)
    if (deed === undefined) continue
    const name = JSON.stringify([call.key, key])
    groups.set(name, [...(groups.get(name) ?? []), deed])
  }
  const ends = firstEnds(
    calls.flatMap(({ operation, path, call }) => (operation === by.close ? ending(path, call) : [])),
  )
  return [...groups.values()].map((creates) => {
    const own = [...new Set(creates.map(({ id }) => id))].flatMap((id) => {
      return endOfItsOwn(trace, by, creates, id) ?? ends.get(id) ?? []
    })
    return { deeds: [...creates, ...own].toSorted((one, other) => one.from - other.from) }
  })
}

function callsIn(trace: TraceIndex, { create, close }: KeyedOperations) {
  return [...trace.exchanges.values()].flatMap((record): readonly Asked[] => {
    const { operation, attempts } = record
    if (operation === null || ![create, close].includes(operation)) return []
    return attempts.map((attempt) => ({ operation, path: attempt.request.entry.path, call: callOf(record, attempt) }))
  })
}

/** Undefined for a refusal: it makes nothing, and says nothing of the key. */
function creation(call: Call): Deed | undefined {
  const { answer, line: from, answeredLine, scenario, data } = call
  const body = textOf(call.asked)
  const lines = [from, ...(Number.isFinite(answeredLine) ? [answeredLine] : [])]
  const id = textAt(data, '/session_id')
  if (id !== undefined) return { did: 'create', id, body, from, until: answeredLine, lines, scenario }
  if (answer.kind === 'success' || (answer.kind === 'failure' && !isMishap(answer))) return undefined
  return { did: 'create', id: undefined, body, from, until: Number.POSITIVE_INFINITY, lines, scenario }
}

/** Of a session that was over though nobody had asked for that: it may have ended at any time since it was made. */
function endOfItsOwn(
  trace: TraceIndex,
  { create }: KeyedOperations,
  creates: readonly Deed[],
  id: string | undefined,
): Deed | undefined {
  const made = creates.find((one) => one.id === id)
  if (id === undefined || made === undefined) return undefined
  const isOver = create === 'create-world-session' ? worldEndedByItself : endedByItself
  return isOver(trace, id) ? { ...made, did: 'end', body: '', until: Number.POSITIVE_INFINITY } : undefined
}

/** By session the first that was asked to end it: from then on its key may return anything, so no later one adds to that. */
function firstEnds(ends: readonly Deed[]): ReadonlyMap<string | undefined, Deed> {
  return new Map(ends.toReversed().map((end) => [end.id, end]))
}

/** From when it was asked for a session may be over, whatever was answered. */
function ending(path: string, { line: from, scenario }: Call): readonly Deed[] {
  const id = sessionIn(path)
  if (id === undefined) return []
  return [{ did: 'end', id, body: '', from, until: Number.POSITIVE_INFINITY, lines: [from], scenario }]
}
