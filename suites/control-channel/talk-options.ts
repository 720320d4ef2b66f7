import type { Pattern } from '#trace/claim'

/** How an event is awaited. */
export interface Awaiting {
  /** How long it may take, in milliseconds; default the profile's `event_ms`. */
  readonly within?: number
  /** Other answers: where one of these came, nothing more need be awaited. */
  readonly instead?: readonly Pattern[]
}

/** How a faulty event is sent. */
export interface FaultOptions {
  readonly alone?: boolean
  readonly others?: readonly Pattern[]
}
