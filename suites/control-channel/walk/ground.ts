import type { Talk } from '../talk.ts'

/** A session that a walk begins with. */
export interface Ground {
  readonly talk: Talk
  /** Another connection of it. */
  readonly connect: () => Promise<Talk>
  /** The avatar that is active at first. */
  readonly first: string
  /** Speech texts that it was created with. */
  readonly given: readonly string[]
}
