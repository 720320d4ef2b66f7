import { onlyEachTime, type Outcome } from './outcome.ts'
import type { ChannelRecord } from '../trace-index.ts'

/** What a connection was found dead by. */
export const wasDead = 'the connection was dead: not even a ping was answered'

export function isFoundDead({ closed }: ChannelRecord): boolean {
  return closed?.entry.silent_since !== undefined
}

/** A service that hangs over what it is asked for does so each time; what lies between forgets a connection now and then. */
export function foundDead(expected: string, ...lines: readonly number[]): Outcome {
  return onlyEachTime(wasDead, { expected, got: 'nothing any more, not even a pong' }, ...lines)
}
