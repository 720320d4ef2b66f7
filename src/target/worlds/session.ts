import type { WebSocket } from 'ws'
import type { WorldCapabilities } from '../behaviour/world/capabilities.ts'
import type { Account } from '../keys.ts'
import type { Timer } from '../timers.ts'
import type { JsonObject } from '../wire.ts'

/** 3.2: the five states of a world session. */
export type WorldStatus = 'provisioning' | 'active' | 'closing' | 'closed' | 'failed'

/** 3.3: the closed set of `runtime.media_status`. */
export type MediaStatus = 'connecting' | 'running' | 'held' | 'stalled' | 'disconnected' | 'failed'

/** The two channels that a session gives descriptors of (2.11). */
export type WorldChannel = 'control' | 'media'
export const WORLD_CHANNELS: readonly WorldChannel[] = ['control', 'media']

/** What a descriptor holds besides its address. */
export interface Credential {
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Descriptors that were given out together. */
export type Issue = Readonly<Record<WorldChannel, Credential>>

/** A named Reference with the content that it was created with. */
export interface WorldReference {
  readonly name: string
  readonly content: JsonObject[]
}

/** What Create Session decided; never changes afterwards. */
export interface WorldPlan {
  readonly model: string
  readonly output: JsonObject
  readonly liveInput: JsonObject | undefined
  readonly startMode: string
  readonly maxIdleMs: number
  readonly references: WorldReference[]
  readonly metadata: JsonObject
  readonly capabilities: WorldCapabilities
  readonly durationSeconds: number
}

/** The running generation, as far as REST shows it (2.11). */
export interface WorldRuntime {
  mediaStatus: MediaStatus
  /** Media time gathered until the last change of status, milliseconds. */
  mediaMs: number
  /** Milliseconds since the epoch at which the status last changed. */
  since: number
}

/** One world session with everything that happens in it. */
export interface WorldSession {
  readonly id: string
  readonly account: Account
  readonly plan: WorldPlan
  readonly createdAt: number
  readonly expiresAt: number
  status: WorldStatus
  /** Descriptors given out so far, oldest first; the last ones are those that Get shows. */
  readonly issues: Issue[]
  /** Descriptors by the idempotency key that asked for them. */
  readonly issuesByKey: Map<string, Issue>
  /** Idempotency keys of the closes that were accepted. */
  readonly closeKeys: Set<string>
  readonly runtime: WorldRuntime
  /** Latest control-event sequence. */
  sequence: number
  readonly connections: Set<WebSocket>
  readonly clocks: { ready?: Timer; expiry?: Timer; idle?: Timer; cleanup?: Timer }
}
