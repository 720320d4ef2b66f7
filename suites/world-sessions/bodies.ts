import { isObject, type Json, type JsonObject } from '#trace/json'

/** An `input_text` block (2.13). */
export const text = (words: string): JsonObject => ({ type: 'input_text', text: words })

/** `over` laid over `base`: objects member by member, lists one behind the other, anything else replaced. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const members = Object.entries(over).map(([name, value]) => [name, joined(base[name], value)] as const)
  return { ...base, ...Object.fromEntries(members) }
}

function joined(base: Json | undefined, over: Json): Json {
  if (Array.isArray(base) && Array.isArray(over)) return [...(base as readonly Json[]), ...(over as readonly Json[])]
  return isObject(base) && isObject(over) ? merged(base, over) : over
}

/** The body without one of its members. */
export function without(body: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))
}

/** The references of a body. */
export function referencesOf(body: JsonObject): readonly JsonObject[] {
  const list = body['references']
  return Array.isArray(list) ? (list as readonly Json[]).filter((one) => isObject(one)) : []
}

/** The body with at most `most` references: what is too much for the session goes into the last one. */
export function fitted(body: JsonObject, most: number): JsonObject {
  const all = referencesOf(body)
  if (all.length <= most || most < 1) return body
  const [kept, rest] = [all.slice(0, most - 1), all.slice(most - 1)]
  const content = rest.flatMap((one) => (Array.isArray(one['content']) ? (one['content'] as readonly Json[]) : []))
  return { ...body, references: [...kept, { ...rest[0], content }] }
}
