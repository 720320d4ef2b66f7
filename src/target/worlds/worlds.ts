import type { WorldSession } from './session.ts'

/** The create that an idempotency key of a workspace stands for. */
export interface RememberedWorld {
  readonly at: number
  /** The body as it was sent first. */
  readonly body: string
  readonly outcome: Promise<WorldSession>
  /** Known once the allocation is done. */
  session: WorldSession | undefined
}

/** All world sessions of one target, and the keys that made them. */
export interface Worlds {
  readonly sessions: Map<string, WorldSession>
  readonly creates: Map<string, RememberedWorld>
  /** Allocations begun so far. */
  creations: number
  /** How often a create asked for capacity. */
  asked: number
}

export const createWorlds = (): Worlds => ({ sessions: new Map(), creates: new Map(), creations: 0, asked: 0 })

/** Everything of a world session that must not be logged. */
export const worldSecretsOf = ({ issues }: WorldSession): string[] =>
  issues.flatMap(({ control, media }) => [control.secret, media.secret])

/** Whether a session still holds its runtime. */
export const isOpen = ({ status }: WorldSession): boolean =>
  status === 'provisioning' || status === 'active' || status === 'closing'
