import type { Behaviour } from './behaviour/behaviour.ts'
import type { RateState } from './behaviour/access/rate.ts'
import { type ControlAddress, draw, type SessionFields } from './behaviour/views.ts'
import type { Character } from './characters/character.ts'
import type { AudioFile } from './files/audio-file.ts'
import type { Account, KeyName } from './keys.ts'
import type { Random } from './random.ts'
import type { Session } from './sessions/session.ts'
import type { Timers } from './timers.ts'
import type { Voice } from './voices/voice.ts'
import type { JsonObject } from './wire.ts'
import type { Worlds } from './worlds/worlds.ts'

/** The create that an idempotency key stands for. */
export interface RememberedCreate {
  readonly at: number
  readonly outcome: Promise<Session>
  /** Known once the allocation is done. */
  session: Session | undefined
  /** Until then whoever repeats it is told that it is in progress. */
  busyUntil?: number
}

/** Everything that one running target knows; nothing of it is shared with another. */
export interface Service {
  readonly behaviour: Behaviour
  readonly timers: Timers
  readonly random: Random
  readonly keyring: Readonly<Record<KeyName, Account>>
  readonly accounts: Account[]
  /** Configured concurrency cap by workspace. */
  readonly caps: ReadonlyMap<string, number>
  readonly sessions: Map<string, Session>
  readonly worlds: Worlds
  /** All characters ever saved, the deleted ones too, in order of creation. */
  readonly characters: Map<string, Character>
  readonly files: Map<string, AudioFile>
  /** Cloned voices of all workspaces, in order. */
  readonly voices: Map<string, Voice>
  /** Creates by scoped idempotency key, in flight or done. */
  readonly creates: Map<string, RememberedCreate>
  /** Slots taken by creates that are still in flight, by scope. */
  readonly reserved: Map<string, number>
  readonly rates: Map<string, RateState>
  /** Milliseconds by which rates, and the past of sessions, are counted. */
  readonly clock: () => number
  readonly requests: Map<string, number>
  /** Allocations begun so far. */
  creations: number
  /** Told of every server event that goes out. */
  readonly onServerEvent: (session: Session) => void
  /** Set once the target listens. */
  address: ControlAddress
}

export const drawSession = (service: Service, fields: SessionFields, session: Session): JsonObject =>
  draw(fields, session, service.address)
