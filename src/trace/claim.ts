import type { Json } from './json.ts'

/**
 * A claim: an expectation written into the trace as data, before what it speaks of is sent. The judge evaluates it to
 * held, broken or unobserved. Claims name things by the numbers that the client gives out: exchanges, channels, frames,
 * marks.
 */
export interface Claim {
  readonly claim: number
  readonly requirement: string
  readonly condition: Condition
  /** The claim is an observation only if all of these hold; otherwise it is unobserved (`prerequisite`). */
  readonly given?: readonly Condition[]
  /**
   * What to call it when `given` does not hold; default `prerequisite`, which blocks. `model_choice` is for what a
   * correct target may do as well (an instant answer leaves nothing to interrupt).
   */
  readonly given_code?: 'prerequisite' | 'model_choice'
}

/** The closed set of conditions, and two ways to join them. */
export type Condition =
  | { readonly is: 'accepted'; readonly exchange: number }
  | Rejected
  | { readonly is: 'equals'; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'different'; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'echoes'; readonly left: Operand; readonly right: Operand }
  | { readonly is: 'same'; readonly of: readonly Operand[] }
  | { readonly is: 'distinct'; readonly of: readonly Operand[] }
  | Eventually
  | Never
  | { readonly is: 'admitted'; readonly channel: number }
  /** `twin`: the positive control, a channel that was admitted without the fault. */
  | { readonly is: 'refused'; readonly channel: number; readonly twin: number }
  | { readonly is: 'before'; readonly first: Point; readonly second: Point }
  | { readonly is: 'any'; readonly of: readonly Condition[] }
  | { readonly is: 'all'; readonly of: readonly Condition[] }

/**
 * The exchange failed with a non-zero code, one of `codes` where given. Counts only beside its positive control: the same
 * request without the fault, accepted in the same run. Rate limit, quota and capacity codes leave it unobserved unless
 * they are asked for, and so do transport failures.
 */
export interface Rejected {
  readonly is: 'rejected'
  readonly exchange: number
  readonly codes?: readonly number[]
  /** The positive control: the number of the same request without the fault, or the condition that it was accepted. */
  readonly twin: number | Condition
}

/**
 * A frame that matches comes on the channel after the point. How long it takes is our question, not the interface's: late
 * is late, and absence is broken only if twice `within` ms were watched.
 */
export interface Eventually {
  readonly is: 'eventually'
  readonly channel: number
  readonly after: Point
  /** One of these patterns. */
  readonly match: readonly Pattern[]
  readonly within: number
  /** What comes after this point belongs to something else. */
  readonly until?: Point
  /** Other answers: where one of these came, nothing more need be awaited. */
  readonly instead?: readonly Pattern[]
}

/** No matching frame comes on the channel between two points. Unobserved unless `until` was reached. */
export interface Never {
  readonly is: 'never'
  readonly channel: number
  readonly match: readonly Pattern[]
  readonly from: Point
  readonly until: Point
}

/**
 * A moment of the run. `exchange` alone means its request's first send; with `edge: 'answered'` its final response.
 * `event` is the first frame on the channel after `after` that matches.
 */
export type Point = PointBase & { readonly plus_ms?: number }

type PointBase =
  | { readonly exchange: number; readonly edge?: 'sent' | 'answered' }
  | { readonly frame: number }
  | { readonly channel: number; readonly edge: 'opened' | 'closed' }
  | { readonly mark: number }
  | { readonly event: EventRef }

/** The `nth` (from 1; default the first) frame received on the channel after a point that matches. */
export interface EventRef {
  readonly channel: number
  readonly match: Pattern
  readonly after?: Point
  readonly nth?: number
}

/** A server event's type (any where missing) and what must stand at JSON Pointers into it. */
export interface Pattern {
  readonly type?: string
  readonly where?: { readonly [pointer: string]: Json | Test }
}

/** A test in a pattern; every member given must hold, except that `$absent` and `$in` are alternatives. */
export interface Test {
  readonly $in?: readonly Json[]
  readonly $absent?: boolean
  readonly $not?: Json
  readonly $present?: boolean
}

/**
 * A value to compare. Paths are JSON Pointers; a final `/**` stands for every value at any depth below (then `equals`
 * means "one of them equals", `different` "none of them does"). `state` is what Get says of its session: a status, or
 * `not found`; one that says nothing of it leaves the claim unobserved. Of a `channel` it is what an opening with the
 * session's own secret says: `active` where it was let in, `not found` where the target refused it.
 */
export type Operand =
  | { readonly value: Json }
  | { readonly one_of: readonly Json[] }
  | { readonly absent: true }
  | {
      readonly exchange: number
      readonly part?: 'body' | 'request' | 'status' | 'headers' | 'state'
      readonly path: string
    }
  | { readonly channel: number; readonly part: 'state' }
  | { readonly event: EventRef; readonly path: string }
  | { readonly sent: number; readonly path: string }
