import type { Ability } from '#spec/profile'
import type { Override } from './behaviour/behaviour.ts'
import type { KeyName } from './keys.ts'

/** How to start a reference target; every field has a default. */
export interface TargetOptions {
  /** HTTPS and WSS with a certificate made at start; default true. */
  tls?: boolean
  /** Address to listen on; default 127.0.0.1. */
  host?: string
  /** 0 takes a free one; default 0. */
  port?: number
  /** Same seed, same ids, secrets and texts; default 1. */
  seed?: number
  /** Ids of seeded mistakes. */
  defects?: string[]
  /** A change of its decisions; applied last. */
  override?: Override
  /** Ids of legal alternatives; applied in this order, before the defects. */
  variations?: string[]
  /** Limit of every key but `rate_limited`; default 60,000. */
  requestsPerMinute?: number
  /** Limit of the key `rate_limited`; default 60, as in section 8. */
  rateLimitedPerMinute?: number
  /** Concurrency cap of the workspace of `capped`; default 2. */
  cap?: number
  /** Concurrency cap of every other workspace; default 100. */
  concurrentSessions?: number
  /** Milliseconds by which rates of keys, and how far copies of sessions are behind, are counted; default the machine's clock. */
  clock?: () => number
  /** Documents that are served beside the interface, to anybody: JSON text by its path. */
  documents?: { readonly [path: string]: string }
  /** Hears of each request when it was answered, and of each upgrade when it comes. */
  onVisit?: (visit: Visit) => void
}

/** One request or upgrade, as somebody who watches the target sees it. */
export interface Visit {
  /** `UPGRADE` for a control channel. */
  readonly method: string
  /** Without a query that may hold a secret. */
  readonly path: string
  /** Undefined for an upgrade, as `ms` and `key`. */
  readonly status?: number
  readonly ms?: number
  readonly key?: KeyName
}

/** A target that listens. */
export interface RunningTarget {
  readonly base_url: string
  /** What a client must trust; undefined without TLS. */
  readonly ca_pem: string | undefined
  readonly keys: Readonly<Record<KeyName, string>>
  /** Every session secret that it gave out, for tests that search for them. */
  secretsGiven(): readonly string[]
  /** Inputs that make this target do what no client can cause by itself. */
  readonly triggers: { moderated_text: string; failing_voice_name: string; tool_call_text: string }
  readonly media: { image_url: string; audio_url: string }
  /** Abilities that it does not offer. */
  readonly lacks: readonly Ability[]
  readonly limits: Readonly<Record<KeyName, { requests_per_minute: number; concurrent_sessions: number }>>
  /** Sessions that are not closed yet. */
  openSessions(): number
  /** What was made here and nobody ended: a session that is `closing` is on its way. */
  left(): {
    readonly sessions: readonly string[]
    readonly worlds: readonly string[]
    readonly characters: readonly string[]
  }
  /** Requests that bore a valid key. */
  requestsServed(): number
  requestsByKey(): Record<KeyName, number>
  stop(): Promise<void>
}
