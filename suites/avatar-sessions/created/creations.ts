import { answerOf, answerTo, createdSession } from '#judge/answers'
import { createsAvatarSession } from '#judge/operations'
import { faultyExchanges } from '#judge/faulty/exchanges'
import { isRecording } from '#judge/recordings'
import type { Attempt, ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { validate } from '#spec/validators'
import { at, isObject, type JsonObject } from '#trace/json'

/** A session that a create made, by its answer. */
export interface Creation {
  readonly record: ExchangeRecord
  readonly body: JsonObject
  readonly data: JsonObject
  /** Lines of the request and of the answer. */
  readonly lines: readonly [number, number]
  readonly line: number
  /** Milliseconds of the run at which the request went out and the answer came. */
  readonly sent: number
  readonly answered: number
}

/** Members that a replayed answer may repeat: only the first answer to an idempotency key is about a creation. */
const firsts = new WeakMap<TraceIndex, readonly Creation[]>()
const plains = new WeakMap<TraceIndex, readonly Creation[]>()

/** Every session that a create of either kind made, each once, in the order of the answers. */
export function creations(trace: TraceIndex): readonly Creation[] {
  const known = firsts.get(trace)
  if (known !== undefined) return known
  const all = [...trace.exchanges.values()].flatMap((record) => creationOf(record) ?? [])
  const seen = new Set<string>()
  const first = all
    .toSorted((one, other) => one.line - other.line)
    .filter(({ body, record }) => {
      const key = keyIn(trace, record.key, body)
      if (key === undefined) return true
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    })
  firsts.set(trace, first)
  return first
}

/**
 * Creations by Create Session whose body is one that every service must take: what comes of a body that should have
 * been refused, or that only some services take, says nothing about the rules for the others. What the answer to a
 * repeated create shows beside the session is not said, so none that may be one is here.
 */
export function plainCreations(trace: TraceIndex): readonly Creation[] {
  const known = plains.get(trace)
  if (known !== undefined) return known
  const faulty = faultyExchanges(trace)
  const plain = creations(trace).filter(
    (creation) =>
      creation.record.operation === 'create-avatar-session' &&
      !faulty.has(creation.record.exchange) &&
      isPlain(creation.body) &&
      !mayRepeat(creation, trace),
  )
  plains.set(trace, plain)
  return plain
}

/** Sessions that Create Session from Character made: "Response: same as Create Session" (4.1). */
export function newStarts(trace: TraceIndex): readonly Creation[] {
  const faulty = faultyExchanges(trace)
  return creations(trace).filter(
    (creation) =>
      creation.record.operation === 'create-session-from-character' &&
      !faulty.has(creation.record.exchange) &&
      !mayRepeat(creation, trace),
  )
}

/** Its key went out before, in a create whose own answer was lost or came later: that one may have made the session. */
export function mayRepeat(
  {
    body,
    lines: [sent, answered],
    record,
  }: Pick<Creation, 'body' | 'lines'> & { readonly record: Pick<ExchangeRecord, 'key' | 'scenario'> },
  trace: TraceIndex,
): boolean {
  const key = keyIn(trace, record.key, body)
  if (key === undefined) return false
  // A recording may begin in the middle: whether the key went out before it nobody knows.
  if (isRecording(trace)) return true
  // What cleanup sends again a run may have sent that was killed (without a scenario there is no other create).
  if (record.scenario === undefined) return true
  return (attemptsByKey(trace).get(key) ?? []).some((attempt) => {
    const { request, response } = attempt
    if (request.line === sent || request.line > answered) return false
    return answerTo(attempt).kind !== 'failure' || (response?.line ?? 0) > sent
  })
}

const sentByKey = new WeakMap<TraceIndex, ReadonlyMap<string, readonly Attempt[]>>()

/** Every attempt of a create, by its idempotency key. */
function attemptsByKey(trace: TraceIndex): ReadonlyMap<string, readonly Attempt[]> {
  const known = sentByKey.get(trace)
  if (known !== undefined) return known
  const found = new Map<string, Attempt[]>()
  for (const { key: apiKey, operation, attempts } of trace.exchanges.values()) {
    if (!createsAvatarSession(operation)) continue
    for (const attempt of attempts) {
      const { body } = attempt.request.entry
      const key = isObject(body) ? keyIn(trace, apiKey, body) : undefined
      if (key === undefined) continue
      const sent = found.get(key)
      if (sent === undefined) found.set(key, [attempt])
      else sent.push(attempt)
    }
  }
  sentByKey.set(trace, found)
  return found
}

/** An idempotency key and whose it is: that of another workspace is another one. Of keys in a recording nobody knows. */
function keyIn({ header }: TraceIndex, apiKey: string, body: JsonObject): string | undefined {
  const key = body['idempotency_key']
  if (typeof key !== 'string' || key === '') return undefined
  return !isRecording({ header }) ? `${workspaceOf(apiKey)} ${key}` : key
}

function creationOf(record: ExchangeRecord): Creation | undefined {
  const attempt = record.attempts.at(-1)
  const answer = answerOf(record)
  const body = attempt?.request.entry.body
  if (!createsAvatarSession(record.operation) || attempt?.response === undefined) return undefined
  if (answer.kind !== 'success' || !isObject(body)) return undefined
  const data = isObject(answer.data) ? answer.data : {}
  if (record.operation !== 'create-avatar-session' && createdSession(record) === undefined) return undefined
  const { request, response } = attempt
  const lines = [request.line, response.line] as const
  return { record, body, data, lines, line: response.line, sent: request.entry.t, answered: response.entry.t }
}

/** 4.1: `output` is ignored in `text_chat`, so that nothing in it makes a body less plain. */
function isPlain(body: JsonObject): boolean {
  const { output: _, ...others } = body
  const judged = at(body, '/session/mode') === 'text_chat' ? others : body
  return validate('rest/create-avatar-session.request', judged).length === 0
}
