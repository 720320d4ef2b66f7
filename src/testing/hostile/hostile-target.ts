/** What a hostile server has seen so far. */
export interface Stats {
  /** TCP connections to the address of `base_url`. */
  connections: number
  /** HTTP requests, upgrades excluded. */
  requests: number
  /** WebSocket upgrades asked for. */
  upgrades: number
  /** Messages that came in over control channels. */
  messages: number
  /** TCP connections to a second host that nobody has a reason to visit. */
  foreign: number
}

export function noStats(): Stats {
  return { connections: 0, requests: 0, upgrades: 0, messages: 0, foreign: 0 }
}

/** A running hostile server. */
export interface HostileServer {
  base_url: string
  /** The certificate to trust, PEM. */
  ca_pem: string
  keys: { primary: string }
  stats: Stats
  /** Whether it takes connections. */
  listening: () => boolean
  /** Destroys every connection; resolves when nothing of the server is left. */
  stop: () => Promise<void>
}

/** What a run against a hostile target has to find. */
export interface Expectation {
  /** Whether any REST answer bears the API's mark (integer `code`, string `message`). Absent where that is arguable. */
  envelope?: boolean
  /** Whether sessions can really be created. */
  sessions: boolean
  /** Set where `stats.foreign` must stay 0. */
  foreign?: 0
}

/** One row of the table: a server that no correct service resembles. */
export interface HostileTarget {
  id: string
  description: string
  start: () => Promise<HostileServer>
  expect: Expectation
}

/** The one API key that the working REST sides accept; the others don't look. */
export const HOSTILE_KEY = 'hostile-key'
