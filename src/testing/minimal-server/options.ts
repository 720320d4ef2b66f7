/** What a test may choose about the minimal server; everything has a default. */
export interface MinimalServerOptions {
  /** Requests a minute for each key but `rate_limited`. Default 6000. */
  requests_per_minute?: number
  /** Requests a minute for the key `rate_limited`. Default 60, as section 8 says. */
  rate_limited_per_minute?: number
  /** Open sessions a workspace, save for the key `capped`, which has one. Default 3. */
  concurrent_sessions?: number
  /** Milliseconds between two words of a response. Default 12. */
  word_ms?: number
  /** Milliseconds from `closing` to `closed`. Default 80. */
  cleanup_ms?: number
}

export type Settings = Required<MinimalServerOptions>

export function settle(options: MinimalServerOptions): Settings {
  return {
    requests_per_minute: 6000,
    rate_limited_per_minute: 60,
    concurrent_sessions: 3,
    word_ms: 12,
    cleanup_ms: 80,
    ...options,
  }
}
