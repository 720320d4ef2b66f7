import { isObject, type Json, type JsonObject } from '#trace/json'

/** A change to a body, by JSON Pointers; `-` stands for the place after the last item of a list. */
export interface Change {
  readonly set?: { readonly [pointer: string]: Json }
  /** Put behind the last item of a list, in turn, after `set`. */
  readonly add?: { readonly [pointer: string]: readonly Json[] }
  /** Taken away at last. */
  readonly drop?: readonly string[]
}

/** The body with the changes made in turn; what is missing on the way is made. */
export function changed(body: JsonObject, ...changes: readonly Change[]): JsonObject {
  let result: Json = body
  for (const { set = {}, add = {}, drop = [] } of changes) {
    for (const [pointer, value] of Object.entries(set)) result = put(result, tokensOf(pointer), value) ?? {}
    for (const [pointer, values] of Object.entries(add))
      for (const value of values) result = put(result, tokensOf(`${pointer}/-`), value) ?? {}
    for (const pointer of drop) result = put(result, tokensOf(pointer), undefined) ?? {}
  }
  return isObject(result) ? result : {}
}

/** The value with `leaf` at the place; without it where `leaf` is undefined. */
function put(value: Json | undefined, tokens: readonly string[], leaf: Json | undefined): Json | undefined {
  const [token, ...rest] = tokens
  if (token === undefined) return leaf
  if (Array.isArray(value) || token === '-') return inList(Array.isArray(value) ? value : [], token, rest, leaf)
  const members = new Map(Object.entries(isObject(value) ? value : {}))
  const inside = put(members.get(token), rest, leaf)
  if (inside === undefined) members.delete(token)
  else members.set(token, inside)
  return Object.fromEntries(members)
}

function inList(list: readonly Json[], token: string, rest: readonly string[], leaf: Json | undefined): Json {
  const place = token === '-' ? list.length : Number(token)
  const inside = put(list[place], rest, leaf)
  return [...list.slice(0, place), ...(inside === undefined ? [] : [inside]), ...list.slice(place + 1)]
}

function tokensOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1)
}
