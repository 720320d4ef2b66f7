import { workspaceOf } from '#spec/profile'
import { type Call, callOf } from '#judge/calls'
import { faultyExchanges } from '#judge/faulty/exchanges'
import { sessionIn } from '#judge/sessions/session-in'
import type { Report } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import { at, type Json, type JsonObject, textAt } from '#trace/json'

/** A create that was accepted for the first time under its idempotency key. */
export interface Creation {
  readonly call: Call
  readonly data: JsonObject
  /**
   * Its body is one that every service must take, no claim expects it to be refused, and it repeats no other: what the
   * answer to a repeated create shows beside the session is not said.
   */
  readonly plain: boolean
}

/** What a trace tells of one session, by the calls that were about it. */
export interface World {
  readonly id: string
  readonly workspace: string
  readonly creation: Creation
  readonly gets: Call[]
  readonly secrets: Call[]
  readonly closes: Call[]
}

export interface Worlds {
  readonly worlds: ReadonlyMap<string, World>
  readonly creations: readonly Creation[]
  /** Every attempt of Create Session, in the order of sending. */
  readonly creates: readonly Call[]
}

const known = new WeakMap<TraceIndex, Worlds>()

/** Reads all world sessions out of a trace, once. */
export function worldsOf(trace: TraceIndex): Worlds {
  const found = known.get(trace)
  if (found !== undefined) return found
  const creates = callsOf(trace, 'create-world-session').map(({ call }) => call)
  const creations = firstsOf(trace, creates)
  const worlds = new Map<string, World>()
  for (const creation of creations) {
    const id = textAt(creation.data, '/session_id')
    if (id === undefined || worlds.has(id)) continue
    const workspace = workspaceOf(creation.call.key)
    worlds.set(id, { id, workspace, creation, gets: [], secrets: [], closes: [] })
  }
  const lists = {
    'get-world-session': 'gets',
    'create-client-secret': 'secrets',
    'close-world-session': 'closes',
  } as const
  for (const [operation, list] of Object.entries(lists)) {
    for (const { call, path } of callsOf(trace, operation)) worlds.get(sessionIn(path) ?? '')?.[list].push(call)
  }
  const result = { worlds, creations, creates }
  known.set(trace, result)
  return result
}

interface Visit {
  readonly call: Call
  readonly path: string
}

/** Every attempt of the operation, in the order of sending. */
function callsOf(trace: TraceIndex, operation: string): readonly Visit[] {
  const visits = [...trace.exchanges.values()].flatMap((record) =>
    record.operation === operation
      ? record.attempts.map((attempt) => ({ call: callOf(record, attempt), path: attempt.request.entry.path }))
      : [],
  )
  return visits.toSorted((one, other) => one.call.line - other.call.line)
}

/** Answers that repeat an earlier one under its key are about no creation of their own. */
function firstsOf(trace: TraceIndex, creates: readonly Call[]): readonly Creation[] {
  const faulty = faultyLines(trace)
  const seen = new Set<string>()
  const byName = Map.groupBy(creates, idempotencyOf)
  return creates
    .filter(({ answer }) => answer.kind === 'success')
    .toSorted((one, other) => one.answeredLine - other.answeredLine)
    .filter((call) => {
      const name = idempotencyOf(call)
      const first = name === undefined || !seen.has(name)
      if (name !== undefined) seen.add(name)
      return first
    })
    .map((call) => {
      const plain = !faulty.has(call.line) && isPlain(call.asked) && !mayRepeat(trace, call, byName)
      return { call, data: call.data ?? {}, plain }
    })
}

/** The first answer that came may be about a create before it, whose own answer was lost or came later. */
function mayRepeat(trace: TraceIndex, call: Call, byName: ReadonlyMap<string | undefined, readonly Call[]>): boolean {
  const name = idempotencyOf(call)
  if (name === undefined) return false
  // A recording may begin in the middle: whether the key went out before it nobody knows.
  if (isRecording(trace)) return true
  // What cleanup sends again a run may have sent that was killed (without a scenario there is no other create).
  if (call.scenario === undefined) return true
  return (byName.get(name) ?? []).some((other) => {
    if (other === call || other.line > call.answeredLine) return false
    return other.answer.kind !== 'failure' || other.answeredLine > call.line
  })
}

/** The workspace and the idempotency key of a create; undefined without one. */
export function idempotencyOf({ key, asked }: Call): string | undefined {
  const again = textAt(asked, '/idempotency_key')
  return again === undefined ? undefined : JSON.stringify([workspaceOf(key), again])
}

/** The session that an accepted create names. */
export const sessionOf = ({ data }: Call): string | undefined => textAt(data, '/session_id')

function isPlain(body: JsonObject): boolean {
  return validate('rest/create-world-session.request', body).length === 0
}

/** Lines of requests that some claim expects to be refused. */
function faultyLines(trace: TraceIndex): ReadonlySet<number> {
  const lines = [...faultyExchanges(trace)].flatMap((one) => trace.exchanges.get(one)?.attempts ?? [])
  return new Set(lines.map(({ request }) => request.line))
}

/** An integer at the place, which may be written as a string (Conventions). */
export function countAt(value: Json | undefined, pointer: string): number | undefined {
  const found = at(value, pointer)
  const count = typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : found
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}

/** Enters one finding about a call. */
export function say(
  report: Report,
  row: RequirementId,
  holds: boolean,
  { expected, got, call, beside = [] }: Finding,
): void {
  const lines = [...beside.map(({ answeredLine }) => answeredLine), call.line, call.answeredLine].filter(
    Number.isFinite,
  )
  if (holds) report.held(row, ...lines)
  else report.broken(row, { expected, got, lines, scenario: call.scenario })
}

export interface Finding {
  readonly expected: string
  readonly got: string
  readonly call: Call
  /** Other calls that it rests on. */
  readonly beside?: readonly Call[]
}
