import type { BusySession } from '../responses/busy.ts'
import type { Talk } from '../talk.ts'
import type { Abilities } from './stages.ts'

/** A session in which responses meet. */
export interface Stand {
  readonly talk: Talk
  /** Opens another connection to the session. */
  readonly connect: () => Promise<Talk>
  readonly busy: BusySession
  /** What can be done in this session. */
  readonly abilities: Abilities
  /** What the service offers: the pairs of all sessions count together. */
  readonly offered: Pick<Abilities, 'calls' | 'video'>
  /** Words that make the model call a function. */
  readonly words: string
  /** Names both avatars in turn. */
  readonly turn: () => string
}

/** A request of ours, and where it was sent. */
export interface Sent {
  readonly id: string
  readonly on: Talk
  readonly frame: number
}
