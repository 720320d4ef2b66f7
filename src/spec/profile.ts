import type { abilities } from './tables.ts'

/** Names of the keys that a profile can give; all but `primary` are optional. */
export const keyNames = [
  'primary',
  'same_workspace',
  'other_workspace',
  'billing_inactive',
  'insufficient_balance',
  'access_denied',
  'rate_limited',
  'capped',
  'capacity_exhausted',
] as const

export type KeyName = (typeof keyNames)[number]

/** What a recording calls every key where it holds no Authorization: they may be of several workspaces. */
export const unnamedKey = 'unlisted'

/** Keys of one workspace have one name: `same_workspace` is that of `primary`, every other key is taken to have its own. */
export function workspaceOf<Key extends string>(key: Key): Key | 'primary' {
  return key === 'same_workspace' ? 'primary' : key
}

/**
 * Whether two keys are set apart by the profile as those of two workspaces: its own `primary` and `other_workspace`. Of other
 * keys, such as those of a recording that no profile names, it is not known whose they are.
 */
export function areApart(one: string, other: string): boolean {
  const [here, there] = [workspaceOf(one), workspaceOf(other)]
  return here !== there && [here, there].every((name) => name === 'primary' || name === 'other_workspace')
}

/** What a target may or may not offer; one that is not mentioned in a profile counts as offered. */
export type Ability = keyof typeof abilities

export type TriggerName = 'moderated_text' | 'failing_voice_name' | 'tool_call_text'
export type MediaName = 'image_url' | 'audio_url' | 'voice_sample'

/** What the key `access_denied` may be kept from (section 5: "A key lacking access to a model or API"). */
export type DeniedOperation =
  | 'create-avatar-session'
  | 'create-session-from-character'
  | 'create-world-session'
  | 'clone-voice'

/** Milliseconds that we are ready to wait. */
export interface Timeouts {
  /** For a REST response. */
  readonly reply_ms: number
  /** For an event on a channel. */
  readonly event_ms: number
  /** From a close request to status `closed`. */
  readonly closed_ms: number
  /** How late an automatic close may come. */
  readonly auto_close_grace_ms: number
  /** For a world session to leave `provisioning`. */
  readonly provisioning_ms: number
  /** How far lists and reads may be behind what was written. */
  readonly lag_ms: number
}

export const defaultTimeouts: Timeouts = {
  reply_ms: 10_000,
  event_ms: 5_000,
  closed_ms: 30_000,
  auto_close_grace_ms: 15_000,
  provisioning_ms: 60_000,
  lag_ms: 2_000,
}

/** Those of a profile, and the defaults of what it leaves open. */
export function timeoutsFor({ timeouts }: Pick<Profile, 'timeouts'>): Timeouts {
  return { ...defaultTimeouts, ...timeouts }
}

export interface KeyLimits {
  /** Default 60. */
  readonly requests_per_minute?: number
  /** Unknown where absent. */
  readonly concurrent_sessions?: number
}

export interface ExpectedFailure {
  readonly id: string
  readonly reason: string
  readonly owner: string
  /** Last day (YYYY-MM-DD, UTC) on which the entry is good. */
  readonly expires: string
  readonly link?: string
}

/** The longest that percentiles of an operation may take. */
export type LatencyObjective = { readonly [percentile in `${Percentile}_ms`]?: number }

export const percentiles = ['p50', 'p90', 'p95', 'p99', 'p999'] as const

export type Percentile = (typeof percentiles)[number]

/** What must hold under load. */
export interface Objectives {
  /** By operation. */
  readonly latency?: { readonly [operation: string]: LatencyObjective }
  /** Of all that is asked, from 0 to 1. */
  readonly error_share?: number
  readonly throughput?: { readonly events_per_second?: number; readonly iterations_per_second?: number }
}

/** One target, as `schemas/meta/profile.json` describes it. `keys`, `headers`, `proxy` hold names of environment variables. */
export interface Profile {
  readonly $schema?: string
  readonly base_url: string
  readonly ca_file?: string
  readonly keys: { readonly [name in KeyName]?: string }
  readonly abilities?: { readonly [name in Ability]?: boolean }
  readonly limits?: { readonly [name in KeyName]?: KeyLimits }
  readonly media?: { readonly [name in MediaName]?: string }
  readonly triggers?: { readonly [name in TriggerName]?: string }
  readonly timeouts?: Partial<Timeouts>
  /** Hosts outside the target's registrable domain that `control.url` may lead to. */
  readonly control_hosts?: readonly string[]
  readonly denies?: readonly DeniedOperation[]
  readonly headers?: { readonly [name: string]: string }
  readonly proxy?: string
  readonly allow_load?: boolean
  readonly objectives?: Objectives
  readonly allow_insecure_loopback?: boolean
  readonly expected_failures?: readonly ExpectedFailure[]
}

/** Whether the profile leaves the ability offered. */
export function offers(profile: Profile, ability: Ability): boolean {
  return profile.abilities?.[ability] !== false
}
