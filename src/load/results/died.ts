import type { Numbers } from '../k6/lines.ts'
import { total } from './readings.ts'

/**
 * When a target stopped answering for good that answered before the run.
 *
 * @param windows in order, with their start in seconds
 * @param answers whether it answered after the run
 * @returns the start of the first window from which on everything that was tried failed on the way; undefined where the
 *   target is alive, or nothing was lost
 */
export function diedAt(
  windows: readonly (readonly [at: number, numbers: Numbers])[],
  answers: boolean,
): number | undefined {
  if (answers) return undefined
  const lastAlive = windows.findLastIndex(([, numbers]) => successes(numbers) > 0)
  return windows.find(([, numbers], place) => place >= lastAlive && lost(numbers) > 0)?.[0]
}

function successes(numbers: Numbers): number {
  const times = ['create_ms', 'close_ms', 'request_ms'].reduce((sum, name) => sum + total(numbers, name), 0)
  return times + total(numbers, 'events')
}

const lost = (numbers: Numbers): number => total(numbers, 'errors', isLost) + total(numbers, 'conversations', isCut)

/** Errors without any answer: `create 0 network`. */
const isLost = (key: string): boolean => key.endsWith(' 0 network')

const isCut = (key: string): boolean => key === 'cut'
