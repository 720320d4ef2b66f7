/** An API key of the target, by its name in the profile; never its value. */
export interface Key {
  readonly name: string
  readonly requests_per_minute: number
  /** Undefined where nobody knows. */
  readonly concurrent_sessions: number | undefined
  /** How long the minute of its limit is, for limiters that were made to try scenarios out; else 60,000. */
  readonly minute_ms?: number
}
