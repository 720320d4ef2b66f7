import type { Pattern, Test } from './claim.ts'
import { at, isObject, type Json } from './json.ts'

/** Whether an event fits a pattern: its type, and what stands at each pointer. */
export function matches(data: Json | undefined, pattern: Pattern): boolean {
  if (data === undefined) return false
  if (pattern.type !== undefined && (!isObject(data) || data['type'] !== pattern.type)) return false
  for (const pointer in pattern.where) {
    const wanted = pattern.where[pointer]
    if (wanted !== undefined && !holds(at(data, pointer), wanted)) return false
  }
  return true
}

/** Whether an event fits one of several patterns. */
export function matchesOne(data: Json | undefined, patterns: readonly Pattern[]): boolean {
  for (const pattern of patterns) if (matches(data, pattern)) return true
  return false
}

function holds(found: Json | undefined, wanted: Json | Test): boolean {
  if (!isTest(wanted)) return found !== undefined && equal(found, wanted)
  if (found === undefined) return wanted.$absent === true || (wanted.$not !== undefined && wanted.$present !== true)
  if (wanted.$in !== undefined && !wanted.$in.some((one) => equal(found, one))) return false
  if (wanted.$in === undefined && wanted.$absent === true) return false
  return wanted.$not === undefined || !equal(found, wanted.$not)
}

function isTest(wanted: Json | Test): wanted is Test {
  if (!isObject(wanted)) return false
  for (const name in wanted) if (name.startsWith('$')) return true
  return false
}

/** No precision is given: a fraction may have been kept in 32 bits, which is 7 digits. */
const precision = 1e-6

/**
 * Deep equality of JSON values. A number equals a string that spells the same integer, since 64-bit integers may be
 * returned as strings (Conventions), and a fraction equals what 32 bits keep of it.
 */
export function equal(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left === 'number' && typeof right === 'number') return isClose(left, right)
  if (typeof left === 'number' && typeof right === 'string') return spells(right, left)
  if (typeof left === 'string' && typeof right === 'number') return spells(left, right)
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left as readonly Json[], right as readonly Json[])
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name] ?? null, right[name] ?? null))
  )
}

function equalLists(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, place) => equal(item, right[place] ?? null))
}

function isClose(left: number, right: number): boolean {
  if (Number.isInteger(left) && Number.isInteger(right)) return false
  return Math.abs(left - right) <= precision * Math.max(Math.abs(left), Math.abs(right))
}

function spells(text: string, number: number): boolean {
  return Number.isInteger(number) && /^-?\d+$/.test(text) && Number(text) === number
}
