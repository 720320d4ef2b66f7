/** An API key of the target, by its name in the profile; never its value. */
export interface Key {
  readonly name: string
  readonly requests_per_minute: number
  /** Undefined where nobody knows. */
  readonly concurrent_sessions: number | undefined
}
