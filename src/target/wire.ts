/** A JSON object as it travels: keys in the spec's snake_case, values not yet judged. */
export type Wire = Record<string, unknown>

export const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under `key`, or an empty one where there is none, so that a dropped rule never ends in a crash. */
export const wireAt = (value: unknown, key: string): Wire => {
  const found = isWire(value) ? value[key] : undefined
  return isWire(found) ? found : {}
}

/** The objects of an array; anything else is an empty list. */
export const wiresOf = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter(isWire) : [])

export const wiresAt = (value: unknown, key: string): Wire[] => wiresOf(isWire(value) ? value[key] : undefined)

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Leaves out the keys whose value is `undefined`: an omitted field is absent, never `null`. */
export const present = (object: Wire): Wire =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

export const without = (object: Wire, ...keys: string[]): Wire =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
