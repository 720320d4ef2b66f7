import type { Failure } from './errors.ts'

/** What a turn waits for: its answer, or what came instead. */
export type Outcome = 'answered' | Failure | 'silent' | 'overtime' | 'flooded' | 'cut'

/** In place of an event id: waits for what is owed of all updates. */
export const LAST = ''

/** A request that was sent and is not answered. */
export interface Waiting {
  readonly eventId: string
  sentAt: number
  readonly intended: number
  /** Whether an error has told of it that a step failed, which need not be its end. */
  failed: boolean
  settle(outcome: Outcome): void
}
