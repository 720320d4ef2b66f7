import { errorCodeNames, isMishap, isOperationId, operations } from '#spec/tables'
import { mayBeEdges } from '#trace/edge'
import { isObject, type Json, own } from '#trace/json'
import type { Attempt, ExchangeRecord, TraceIndex } from './trace-index.ts'
import type { Answer } from './answer.ts'

/** The attempt that counts: the last one. */
export function finalAttempt(record: ExchangeRecord): Attempt | undefined {
  return record.attempts.at(-1)
}

/** Classifies the final answer of an exchange. */
export function answerOf(record: ExchangeRecord | undefined): Answer {
  const attempt = record === undefined ? undefined : finalAttempt(record)
  if (record === undefined || attempt === undefined) return { kind: 'transport-failure', line: 0, why: 'missing' }
  const answer = answerTo(attempt)
  // What the service failed over again says nothing of the attempts before.
  const mayBeOfEarlier = answer.kind === 'failure' && !isMishap(answer) && mayFollow(record, answer.code)
  const lost = mayBeOfEarlier ? lostBefore(record) : undefined
  if (lost === undefined) return answer
  const before = answerTo(lost)
  // What the service failed over is as good as no answer.
  return before.kind === 'failure'
    ? { kind: 'transport-failure', line: before.line, why: 'proxy', status: before.status }
    : before
}

/** "20004: invalid `language` or `name`" (section 7) of a clone: that names differ is not said, nor that they need not. */
const invalidName = 20004

/**
 * Whether a refusal may come of an attempt before it alone: what was to be ended had ended, the name of a voice is taken, or
 * its idempotency key is while it is under way. No code is named for the last; that of a conflict is near.
 */
function mayFollow({ operation, attempts }: ExchangeRecord, code: number): boolean {
  if (operation === null) return false
  if (/^(?:close|delete)-/.test(operation)) return true
  if (operation === 'clone-voice') return code === invalidName || mayTellOfKey(operation, code)
  const body = attempts[0]?.request.entry.body
  return isObject(body) && 'idempotency_key' in body && mayTellOfKey(operation, code)
}

/** Whether a code may say that an idempotency key is taken. */
export function mayTellOfKey(operation: string, code: number): boolean {
  const names = errorCodeNames(code)
  const told = isOperationId(operation) ? operations[operation].error_codes : []
  return names.length === 0 || names.some((name) => name === '30004 idempotency conflict' && told.includes(name))
}

/** An attempt before the last one that may have done what was asked for: then such a refusal of the last one says nothing. */
function lostBefore({ attempts }: ExchangeRecord): Attempt | undefined {
  return attempts.slice(0, -1).findLast(mayHaveActed)
}

/** Whether the answer to an attempt says nothing of what was done: none came, or the service failed over it. */
export function mayHaveActed(attempt: Attempt): boolean {
  const answer = answerTo(attempt)
  return answer.kind === 'transport-failure' || (answer.kind === 'failure' && isMishap(answer))
}

/** Classifies the answer to one attempt. */
export function answerTo(attempt: Attempt): Answer {
  return (attempt.answer ??= classified(attempt))
}

function classified({ response, failure, request }: Attempt): Answer {
  if (response === undefined) {
    return { kind: 'transport-failure', line: failure?.line ?? request.line, why: failure?.entry.reason ?? 'missing' }
  }
  const { status, body } = response.entry
  const envelope = envelopeOf(body)
  if (envelope === undefined) {
    return mayBeEdges(response.entry)
      ? { kind: 'transport-failure', line: response.line, why: 'proxy', status }
      : { kind: 'nonsense', line: response.line, status }
  }
  return envelope.code === 0
    ? { kind: 'success', line: response.line, data: envelope.data, status }
    : { kind: 'failure', line: response.line, code: envelope.code, message: envelope.message, status }
}

/** The envelope of a response body, or undefined where it bears none: integer `code`, string `message` (Conventions). */
export function envelopeOf(
  body: Json | undefined,
): { code: number; message: string; data: Json | undefined } | undefined {
  if (!isObject(body)) return undefined
  const code = own(body, 'code')
  const message = own(body, 'message')
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') return undefined
  return { code, message, data: own(body, 'data') }
}

const created = new WeakMap<TraceIndex, boolean>()

/**
 * Whether the run made anything: creates of one kind that succeeded with ids of their own, as a rule of sessions. One
 * answer given to every create makes nothing; and where a target answers one kind like that, a kind that was made only
 * once proves nothing either.
 */
export function somethingWasCreated(trace: TraceIndex): boolean {
  const known = created.get(trace)
  if (known !== undefined) return known
  const kinds = [...ownersByKind(trace).values()].map((ids) => [...ids.values()])
  const several = kinds.some((ids) => ids.length > 1 && ids.some((owners) => owners.size === 1))
  const fixed = kinds.some((ids) => ids.length === 1 && ids.some((owners) => owners.size > 1))
  const any = several || (!fixed && kinds.length > 0)
  created.set(trace, any)
  return any
}

/** Who asked for each id that was made, by the kind of thing. */
function ownersByKind(trace: TraceIndex): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const kinds = new Map<string, Map<string, Set<string>>>()
  for (const record of trace.exchanges.values()) {
    const id = createdSession(record) ?? createdThing(record)
    if (id === undefined) continue
    const kind = (record.operation ?? '').includes('world') ? 'world' : (things.get(record.operation ?? '') ?? 'avatar')
    const owners = kinds.get(kind) ?? new Map<string, Set<string>>()
    kinds.set(kind, owners)
    const owner = idempotencyKey(record) ?? `exchange ${record.exchange}`
    owners.set(id, (owners.get(id) ?? new Set()).add(owner))
  }
  return kinds
}

/** By which member of its answer the thing is known that an operation makes, beside sessions. */
const things = new Map([
  ['create-character', 'character_id'],
  ['upload-audio', 'file_id'],
  ['clone-voice', 'voice_id'],
])

function createdThing(record: ExchangeRecord): string | undefined {
  const name = things.get(record.operation ?? '')
  const answer = answerOf(record)
  if (name === undefined || answer.kind !== 'success' || !isObject(answer.data)) return undefined
  const id = own(answer.data, name)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const creates = new Set(['create-avatar-session', 'create-session-from-character', 'create-world-session'])

/** The id of the session that an exchange created, if it created one. */
export function createdSession(record: ExchangeRecord): string | undefined {
  if (record.operation === null || !creates.has(record.operation)) return undefined
  const answer = answerOf(record)
  if (answer.kind !== 'success' || !isObject(answer.data)) return undefined
  const id = own(answer.data, 'session_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

function idempotencyKey(record: ExchangeRecord): string | undefined {
  const body = record.attempts[0]?.request.entry.body
  const key = isObject(body) ? own(body, 'idempotency_key') : undefined
  return typeof key === 'string' && key !== '' ? key : undefined
}
