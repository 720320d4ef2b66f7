import { isObject, type Json, type JsonObject } from '#trace/json'
import { equal } from '#trace/match'

/** A body as text, the same whatever the order of its members: whether another order is another body is not said. */
export function textOf(body: JsonObject): string {
  return JSON.stringify(sorted(body))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted)
  if (!isObject(value)) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

/** Members without which there is no create: what they hold is more than an optional value. */
const required: readonly string[] = ['initial_prompt']

/** Whether two bodies, as texts, have the same members, and differ inside of optional ones alone. */
export function differsInside(first: string, again: string): boolean {
  const [one, other] = [JSON.parse(first) as JsonObject, JSON.parse(again) as JsonObject]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const unlike = names.filter((name) => !equal(one[name] ?? null, other[name] ?? null))
  return unlike.every((name) => isDeep(one[name]) && isDeep(other[name]) && !required.includes(name))
}

function isDeep(value: Json | undefined): boolean {
  return isObject(value) || Array.isArray(value)
}
