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
  const lastAlive = windows.findLastIndex(([, numbers]) => answersIn(numbers) > 0)
  return windows.find(([, numbers], place) => place >= lastAlive && lost(numbers) > 0)?.[0]
}

/** Where nearly all is refused, refusals show that the target is there; a page of a proxy before it does not. */
const isAnswer = (key: string): boolean => / [1-9]\d\d \d+$/.test(key)

function answersIn(numbers: Numbers): number {
  const times = ['create_ms', 'close_ms', 'request_ms'].reduce((sum, name) => sum + total(numbers, name), 0)
  return times + total(numbers, 'events') + total(numbers, 'errors', isAnswer)
}

const lost = (numbers: Numbers): number => total(numbers, 'errors', isLost) + total(numbers, 'conversations', isCut)

/** Errors without any answer: `create 0 network`. */
export const isLost = (key: string): boolean => key.endsWith(' 0 network')

export const isCut = (key: string): boolean => key === 'cut' || key === 'moved'
