import type { Condition, EventRef, Eventually, Operand, Pattern, Point, Test } from './claim.ts'
import type { Json } from './json.ts'

/** Builders for claims: plain data out, nothing evaluated here. */
export const accepted = (exchange: number): Condition => ({ is: 'accepted', exchange })

export const rejected = (
  exchange: number,
  positiveControl: number | Condition,
  codes?: readonly number[],
): Condition =>
  codes === undefined
    ? { is: 'rejected', exchange, twin: positiveControl }
    : { is: 'rejected', exchange, twin: positiveControl, codes }

export const equals = (left: Operand, right: Operand): Condition => ({ is: 'equals', left, right })
export const different = (left: Operand, right: Operand): Condition => ({ is: 'different', left, right })

/** `left` carries everything of `right`; more fields, filled-in values and masked secrets are fine. */
export const echoes = (left: Operand, right: Operand): Condition => ({ is: 'echoes', left, right })
export const same = (...of: readonly Operand[]): Condition => ({ is: 'same', of })
export const distinct = (...of: readonly Operand[]): Condition => ({ is: 'distinct', of })
export const eventually = (
  channel: number,
  after: Point,
  match: Pattern | readonly Pattern[],
  within: number,
  more: Pick<Eventually, 'until' | 'instead'> = {},
): Condition => ({ is: 'eventually', channel, after, match: list(match), within, ...more })
export const never = (channel: number, match: Pattern | readonly Pattern[], from: Point, until: Point): Condition => ({
  is: 'never',
  channel,
  match: list(match),
  from,
  until,
})
export const admitted = (channel: number): Condition => ({ is: 'admitted', channel })
export const refused = (channel: number, positiveControl: number): Condition => ({
  is: 'refused',
  channel,
  twin: positiveControl,
})
export const before = (first: Point, second: Point): Condition => ({ is: 'before', first, second })
export const any = (...of: readonly Condition[]): Condition => ({ is: 'any', of })
export const all = (...of: readonly Condition[]): Condition => ({ is: 'all', of })

export const value = (json: Json): Operand => ({ value: json })
export const oneOf = (...json: readonly Json[]): Operand => ({ one_of: json })
export const absent: Operand = { absent: true }

/** A value in the final response of an exchange; `path` starts at the envelope: `/data/session_id`. */
export const answer = (exchange: number, path: string): Operand => ({ exchange, path })

/** A value in what was sent. */
export const asked = (exchange: number, path: string): Operand => ({ exchange, part: 'request', path })
export const status = (exchange: number): Operand => ({ exchange, part: 'status', path: '' })
/** What a Get says of the session that it asks for, wherever in its payload; `not found` where it has none. */
export const sessionState = (exchange: number): Operand => ({ exchange, part: 'state', path: '' })
/** What an opening says of its session, for where Get shows no status. */
export const stateByOpening = (channel: number): Operand => ({ channel, part: 'state' })
export const inEvent = (event: EventRef, path: string): Operand => ({ event, path })

export const event = (type: string, where?: { readonly [pointer: string]: Json | Test }): Pattern =>
  where === undefined ? { type } : { type, where }

function list(match: Pattern | readonly Pattern[]): readonly Pattern[] {
  return Array.isArray(match) ? (match as readonly Pattern[]) : [match as Pattern]
}
