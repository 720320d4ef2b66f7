import { at, isObject, type Json, step } from '#trace/json'
import type { ShapeError } from '#spec/shape-error'
import { readOnce } from './read-once.ts'
import type { Report } from './rule.ts'

/**
 * Which requirement speaks about which places of a payload: requirement id → pointer patterns (`*` stands for any list
 * index or member; `/file_id#pattern` for what that keyword of the schema says of the place, unless it is an empty text).
 * The deepest pattern takes an error, one with a keyword before one without; `otherwise` takes what no pattern covers.
 */
export interface ShapeRows {
  readonly rows: { readonly [requirement: string]: readonly string[] }
  readonly otherwise: string
}

export interface Payload {
  readonly value: Json
  readonly line: number
  readonly scenario: string | undefined
}

/** Judges one payload by its shape and enters the outcome under each row that speaks about a place in it. */
export function judgeShape(payload: Payload, errors: readonly ShapeError[], table: ShapeRows, report: Report): void {
  const real = errors.length === 0 ? errors : errors.filter((error) => error.keyword !== 'if')
  const blamed = new Map<string, ShapeError[]>()
  for (const error of real) {
    const row = rowFor(table, error, at(payload.value, error.pointer) === '')
    blamed.set(row, [...(blamed.get(row) ?? []), error])
  }
  for (const [requirement, patterns] of rowsOf(table)) {
    if (!blamed.has(requirement) && patterns.some((pattern) => isSound(payload.value, pattern, real))) {
      report.held(requirement, payload.line)
    }
  }
  if (!blamed.has(table.otherwise)) report.held(table.otherwise, payload.line)
  for (const [requirement, found] of blamed) {
    for (const error of found) report.broken(requirement, breach(error, payload))
  }
}

function breach(error: ShapeError, payload: Payload) {
  const place = placeOf(error) === '' ? 'the payload' : placeOf(error)
  return {
    expected: `${place}: ${error.expected}`,
    got: error.got,
    lines: [payload.line],
    scenario: payload.scenario,
  }
}

/** Where the fault lies; for a missing member, where it is missing. */
export function placeOf(error: ShapeError): string {
  return error.property === undefined ? error.pointer : `${error.pointer}/${error.property}`
}

function rowFor(table: ShapeRows, error: ShapeError, isEmpty: boolean): string {
  let best = table.otherwise
  let depth = 0
  for (const [requirement, patterns] of rowsOf(table)) {
    for (const { tokens, keyword } of patterns) {
      if (keyword !== undefined && isEmpty) continue
      const length = tokens.length + (keyword === undefined ? 0 : 0.5)
      if (length > depth && (keyword ?? error.keyword) === error.keyword && covers(tokens, placeOf(error))) {
        best = requirement
        depth = length
      }
    }
  }
  return best
}

interface Apart {
  /** The first is empty, as is what stands before the first `/`. */
  readonly tokens: readonly string[]
  /** The same as names of members. */
  readonly names: readonly string[]
  readonly keyword: string | undefined
}

/** The patterns of each row, taken apart once: a table judges every payload of its kind. */
const rowsOf = readOnce(({ rows }: ShapeRows) =>
  Object.entries(rows).map(([row, patterns]) => [row, patterns.map(apart)] as const),
)

function apart(whole: string): Apart {
  const [pattern = '', keyword] = whole.split('#')
  const tokens = pattern.split('/')
  return { tokens, names: tokens.map(unescaped), keyword }
}

/** What a keyword says of a place is seen only where the place bears no other fault. */
function isSound(value: Json, { tokens, names, keyword }: Apart, errors: readonly ShapeError[]): boolean {
  if (keyword !== undefined && errors.some((error) => covers(tokens, placeOf(error)))) return false
  return standsBelow(value, names, 1)
}

function covers(wanted: readonly string[], place: string): boolean {
  const tokens = place.split('/')
  return wanted.length <= tokens.length && wanted.every((token, depth) => token === '*' || token === tokens[depth])
}

function unescaped(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** Whether something stands at a pattern's place. */
function standsBelow(value: Json | undefined, names: readonly string[], depth: number): boolean {
  const name = names[depth]
  if (value === undefined) return false
  if (name === undefined) return true
  if (name !== '*') return standsBelow(step(value, name), names, depth + 1)
  const members = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.values(value) : []
  return members.some((member) => standsBelow(member, names, depth + 1))
}
