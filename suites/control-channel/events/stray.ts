import { isObject, type Json, type JsonObject } from '#trace/json'

/** A field that no interface knows. */
export const stray = { x_note: { of: ['greenroom', 4] } }

/** The same with such a field in every object of it, save in a JSON Schema, whose words are its own. */
export function strewn(one: JsonObject): JsonObject {
  const entries = Object.entries(one).map(([name, inner]) => [
    name,
    name === 'parameters' ? inner : strewnWithin(inner),
  ])
  return { ...(Object.fromEntries(entries) as JsonObject), ...stray }
}

function strewnWithin(inner: Json): Json {
  if (Array.isArray(inner)) return inner.map((member: Json) => strewnWithin(member))
  return isObject(inner) ? strewn(inner) : inner
}
