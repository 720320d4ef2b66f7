import type { Account } from '../keys.ts'
import type { Timer } from '../timers.ts'
import type { JsonObject } from '../wire.ts'
import type { PendingResponse, ResponseRun } from '../responses/run.ts'
import type { EffectiveState } from './effective-state.ts'
import type { WebSocket } from 'ws'

/** One admitted control connection. */
export interface Connection {
  readonly socket: WebSocket
  readonly session: Session
}

/** 3.1: the four states of an avatar session. */
export type SessionStatus = 'active' | 'closing' | 'closed' | 'failed'

/** Where a control credential stood (5.2). */
export type CredentialForm = 'query' | 'header'

/** The effective policy, snapshotted at creation (2.1); seconds, 0 = disabled. */
export interface AutoClose {
  disconnectedSeconds: number
  idleSeconds: number
}

/** Registered assets by id, in order of registration (2.4, `asset.add`). */
export interface AssetStore {
  images: Map<string, JsonObject>
  audio: Map<string, JsonObject>
  speech_text: Map<string, JsonObject>
  visual_prompts: Map<string, JsonObject>
}

export type AssetKind = keyof AssetStore
export const ASSET_KINDS: readonly AssetKind[] = ['images', 'audio', 'speech_text', 'visual_prompts']

/** An accepted `session.update` whose `session.update.done` is still to come (3.5). */
export interface RunningUpdate {
  readonly eventId: string
  timer: Timer | undefined
  /** The state that it began from. */
  readonly previous: EffectiveState
}

/** What Create Session decided; never changes afterwards. */
export interface SessionPlan {
  readonly model: string
  readonly region: string
  readonly state: EffectiveState
  readonly output: JsonObject | undefined
  readonly transport: string
  readonly autoClose: AutoClose
  readonly maxDurationSeconds: number
  readonly pipeline: JsonObject | undefined
  readonly conversation: JsonObject
  readonly assets: JsonObject | undefined
  readonly avatars: JsonObject[]
  /** The character that it started from. */
  readonly characterId: string | undefined
}

/** One avatar session with everything that happens in it. */
export interface Session {
  readonly id: string
  readonly secret: string
  readonly account: Account
  readonly plan: SessionPlan
  readonly media: JsonObject
  readonly createdAt: number
  readonly expiresAt: number
  status: SessionStatus
  /** That of its target, which tells when its states began. */
  readonly clock: () => number
  /** Its states so far, each with when it began. */
  readonly past: { readonly status: SessionStatus; readonly since: number }[]
  closeReason: string | undefined
  /** Whether somebody asked for its end, too, however it ended. */
  askedToClose: boolean
  state: EffectiveState
  /** Effective conversation defaults (2.5). */
  conversation: JsonObject
  readonly avatars: JsonObject[]
  readonly assets: AssetStore
  readonly items: JsonObject[]
  readonly connections: Set<Connection>
  /** Whether any control connection was ever admitted. */
  everConnected: boolean
  /** How the last control connection ended, and in which form its credential came. */
  lastClose: number | undefined
  lastForm: CredentialForm | undefined
  /** Client events accepted and refused so far. */
  readonly tally: { sent: number; accepted: number; refused: number; readonly stalled: (() => void)[] }
  readonly updates: Set<RunningUpdate>
  response: ResponseRun | undefined
  /** Requests that wait for the active response, oldest first; at most one unless the behaviour allows more. */
  pending: PendingResponse[]
  /** Responses begun so far; the number seeds generated text. */
  responses: number
  readonly clocks: { expiry?: Timer; disconnected?: Timer; idle?: Timer; cleanup?: Timer }
}
