/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json }

/** @returns undefined for text that is no JSON */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Whether `value` is a plain JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Follows a JSON Pointer (RFC 6901). Own properties only, so `__proto__` sent by a target is data like any other.
 *
 * @returns the value, or `undefined` where nothing stands at that place.
 */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  if (pointer === '') return value
  let here: Json | undefined = value
  for (const token of tokensOf(pointer)) {
    here = step(here, token)
    if (here === undefined) return undefined
  }
  return here
}

/** A text at the place that is not empty. */
export function textAt(value: Json | undefined, pointer: string): string | undefined {
  const found = at(value, pointer)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** A text at the place, which may be empty. */
export function stringAt(value: Json | undefined, pointer: string): string | undefined {
  const found = at(value, pointer)
  return typeof found === 'string' ? found : undefined
}

/** The items of a list at the place; none where there is no list. */
export function listAt(value: Json | undefined, pointer: string): readonly Json[] {
  const found = at(value, pointer)
  return Array.isArray(found) ? (found as readonly Json[]) : []
}

/** The same pointers come again and again, for every event of a run; no more of them than a few hundred matter. */
const taken = new Map<string, readonly string[]>()
const mostTaken = 2_000

/** The steps of a JSON Pointer. */
export function tokensOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  const before = taken.get(pointer)
  if (before !== undefined) return before
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (taken.size < mostTaken) taken.set(pointer, tokens)
  return tokens
}

/** Every value at any depth below (and the value itself). */
export function below(value: Json | undefined): Json[] {
  const found: Json[] = []
  if (value !== undefined) gather(value, found)
  return found
}

function gather(value: Json, found: Json[]): void {
  found.push(value)
  if (typeof value !== 'object' || value === null) return
  for (const one of Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)) gather(one, found)
}

/** Whether a value says as much as an absent one where records are sent whole: zero, empty, or made of such alone. */
export function isZero(value: Json | undefined): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).every(isZero)
  if (isObject(value)) return Object.values(value).every(isZero)
  return value === undefined || value === null || value === '' || value === 0 || value === false
}

/** Every text at any depth below, without the names of members. */
export function textsIn(value: Json | undefined): string[] {
  return below(value).filter((one) => typeof one === 'string')
}

/** What stands under one step of a pointer. */
export function step(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? (value as readonly Json[])[Number(name)] : undefined
  return isObject(value) ? own(value, name) : undefined
}

/** A member of its own. What JSON holds is no function, so whatever is inherited but `__proto__` shows by its kind. */
export function own(value: JsonObject, name: string): Json | undefined {
  const found = value[name]
  const mayBeInherited = typeof found === 'function' || name === '__proto__'
  return mayBeInherited && !Object.hasOwn(value, name) ? undefined : found
}

/** Every string in a value and every name of a member, at any depth. */
export function words(value: Json | undefined, into: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') into.add(value)
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) words(item, into)
  else if (isObject(value)) {
    for (const [name, inside] of Object.entries(value)) {
      into.add(name)
      words(inside, into)
    }
  }
  return into
}
