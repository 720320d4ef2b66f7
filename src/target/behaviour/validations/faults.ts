import { isWire, type JsonObject } from '#target/wire'

// Each predicate is true for one kind of fault and false for all others: a missing value is no string fault.

export const missing = (value: unknown): boolean => value === undefined
export const empty = (value: unknown): boolean => value === ''
export const notString = (value: unknown): boolean => value !== undefined && typeof value !== 'string'
export const notBoolean = (value: unknown): boolean => value !== undefined && typeof value !== 'boolean'
export const notNumber = (value: unknown): boolean => value !== undefined && typeof value !== 'number'
export const notInteger = (value: unknown): boolean => value !== undefined && !Number.isInteger(value)
export const notObject = (value: unknown): boolean => value !== undefined && !isWire(value)
export const notArray = (value: unknown): boolean => value !== undefined && !Array.isArray(value)
export const notObjects = (value: unknown): boolean => Array.isArray(value) && !value.every(isWire)
export const below = (value: unknown, bound: number): boolean => typeof value === 'number' && value < bound
export const above = (value: unknown, bound: number): boolean => typeof value === 'number' && value > bound

/** A string outside a closed set. */
export const notOneOf = (value: unknown, allowed: readonly string[]): boolean =>
  typeof value === 'string' && !allowed.includes(value)

/** A string that is no absolute URL of one of the schemes. */
const notUrl = (value: unknown, schemes: readonly string[]): boolean => {
  if (typeof value !== 'string' || value === '') return false
  if (!URL.canParse(value)) return true
  return !schemes.includes(new URL(value).protocol)
}

export const notHttps = (value: unknown): boolean => notUrl(value, ['https:'])
export const notWebUrl = (value: unknown): boolean => notUrl(value, ['https:', 'http:'])

/** Two objects with the same string under `key`. */
export const repeated = (objects: JsonObject[], key: string): boolean => {
  const values = objects.map((object) => object[key]).filter((value) => typeof value === 'string')
  return new Set(values).size < values.length
}

/** A string that holds no JSON object. */
export const notJsonObject = (value: unknown): boolean => {
  if (typeof value !== 'string' || value === '') return false
  try {
    return !isWire(JSON.parse(value))
  } catch {
    return true
  }
}

/** A string that holds no JSON at all. */
export const notJson = (value: unknown): boolean => {
  if (typeof value !== 'string') return false
  try {
    JSON.parse(value)
    return false
  } catch {
    return true
  }
}

/** Base64 with padding, without a data URL prefix or blanks. */
export const notBase64 = (value: unknown): boolean =>
  typeof value === 'string' && !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(value)
