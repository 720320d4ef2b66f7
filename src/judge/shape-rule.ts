import { at, isObject, type Json } from '../trace/json.ts'
import type { ShapeError } from '../law/shape-error.ts'
import type { Report } from './rule.ts'

/**
 * Which requirement speaks about which places of a payload: requirement id → pointer patterns (`*` stands for any list
 * index or member). The deepest pattern takes an error; `otherwise` takes what no pattern covers.
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
  const real = errors.filter((error) => error.keyword !== 'if')
  const blamed = new Map<string, ShapeError[]>()
  for (const error of real) {
    const row = rowFor(table, placeOf(error))
    blamed.set(row, [...(blamed.get(row) ?? []), error])
  }
  for (const [requirement, patterns] of Object.entries(table.rows)) {
    if (!blamed.has(requirement) && patterns.some((pattern) => stands(payload.value, pattern))) {
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

function rowFor(table: ShapeRows, place: string): string {
  let best = table.otherwise
  let depth = 0
  for (const [requirement, patterns] of Object.entries(table.rows)) {
    for (const pattern of patterns) {
      const length = pattern.split('/').length
      if (length > depth && covers(pattern, place)) {
        best = requirement
        depth = length
      }
    }
  }
  return best
}

function covers(pattern: string, place: string): boolean {
  const wanted = pattern.split('/')
  const tokens = place.split('/')
  return wanted.length <= tokens.length && wanted.every((token, depth) => token === '*' || token === tokens[depth])
}

/** Whether something stands at a pattern's place. */
function stands(value: Json, pattern: string): boolean {
  return standsBelow(value, pattern.split('/').slice(1))
}

function standsBelow(value: Json | undefined, tokens: readonly string[]): boolean {
  const [token, ...rest] = tokens
  if (value === undefined) return false
  if (token === undefined) return true
  if (token !== '*') return standsBelow(at(value, `/${token}`), rest)
  const members = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.values(value) : []
  return members.some((member) => standsBelow(member, rest))
}
