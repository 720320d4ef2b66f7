/** A JSON object as it travels: keys in the spec's snake_case, values not yet judged. */
export type JsonObject = Record<string, unknown>

export const isWire = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under `key`, or an empty one where there is none, so that a dropped validation never ends in a crash. */
export const objectAt = (value: unknown, key: string): JsonObject => {
  const found = isWire(value) ? value[key] : undefined
  return isWire(found) ? found : {}
}

/** The objects of an array; anything else is an empty list. */
export const wiresOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isWire) : [])

export const objectsAt = (value: unknown, key: string): JsonObject[] => wiresOf(isWire(value) ? value[key] : undefined)

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Every string inside a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isWire(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Leaves out the keys whose value is `undefined`: an omitted field is absent, never `null`. */
export const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

export const without = (object: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
