import type { Entry, FrameReceivedEntry, RequestEntry, ResponseEntry } from '#trace/entry'
import { at, isObject, type Json, type JsonObject } from '#trace/json'

/** Each server event with its changed content. */
export function mapEvents(
  entries: readonly Entry[],
  change: (event: JsonObject, entry: FrameReceivedEntry) => JsonObject,
): readonly Entry[] {
  return entries.map((entry) => {
    if (entry.kind !== 'frame-received' || !isObject(entry.data)) return entry
    const data = change(entry.data, entry)
    return data === entry.data ? entry : { ...entry, data }
  })
}

/** An answer that bears an envelope, beside its request. */
export interface Answered {
  readonly request: RequestEntry
  readonly response: ResponseEntry
  readonly envelope: JsonObject
}

/** Each answer of the interface, changed. */
export function mapAnswers(entries: readonly Entry[], change: (answered: Answered) => ResponseEntry): readonly Entry[] {
  const requests = new Map<number, RequestEntry>()
  return entries.map((entry) => {
    if (entry.kind === 'request') requests.set(entry.exchange, entry)
    if (entry.kind !== 'response' || !isObject(entry.body) || !('code' in entry.body)) return entry
    const request = requests.get(entry.exchange)
    if (request === undefined || request.operation === null) return entry
    return change({ request, response: entry, envelope: entry.body })
  })
}

/** Each envelope, changed. */
export function mapEnvelopes(
  entries: readonly Entry[],
  change: (envelope: JsonObject, request: RequestEntry) => JsonObject,
): readonly Entry[] {
  return mapAnswers(entries, ({ request, response, envelope }) => {
    const body = change(envelope, request)
    return body === envelope ? response : { ...response, body }
  })
}

/** All that the service said, as JSON: envelopes and events. */
export function mapSaid(entries: readonly Entry[], change: (said: JsonObject) => JsonObject): readonly Entry[] {
  return mapEvents(
    mapEnvelopes(entries, (envelope) => change(envelope)),
    (event) => change(event),
  )
}

/** Objects whose members are the application's: schemas, extensions of providers, metadata. */
const foreign = new Set(['parameters', 'payload', 'metadata'])

/** Each object at any depth, the deepest first. @param name under which it stands; of a list, that of the list */
export function mapObjects(value: Json, change: (object: JsonObject, name: string) => JsonObject, name = ''): Json {
  if (foreign.has(name)) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => mapObjects(one, change, name))
  if (!isObject(value)) return value
  const inside = Object.entries(value).map(([key, one]) => [key, mapObjects(one, change, key)] as const)
  return change(Object.fromEntries(inside), name)
}

/** As `mapObjects`, of an object, which stays one. */
export function withObjects(said: JsonObject, change: (object: JsonObject, name: string) => JsonObject): JsonObject {
  const changed = mapObjects(said, change)
  return isObject(changed) ? changed : said
}

/** The object without a member. */
export function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object
  return rest
}

/** A further event on the channel of another, at the same moment. */
export function furtherEvent(beside: FrameReceivedEntry, frame: number, data: JsonObject): FrameReceivedEntry {
  return { ...beside, frame, data, bytes: JSON.stringify(data).length }
}

/** Gives numbers to events that no frame has. */
export function newFrames(entries: readonly Entry[]): () => number {
  let last = 0
  for (const entry of entries) if ('frame' in entry) last = Math.max(last, entry.frame)
  return () => {
    last += 1
    return last
  }
}

/** Code of a failure; undefined for a success. */
export function failureOf(envelope: JsonObject): number | undefined {
  const code = at(envelope, '/code')
  return typeof code === 'number' && code !== 0 ? code : undefined
}
