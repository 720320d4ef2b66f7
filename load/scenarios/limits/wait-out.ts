import {
  EARLIER_MS,
  endOf,
  isRefused,
  RATE_LIMITED,
  type RateRequest,
  type RateTerms,
  SLACK_MS,
  waitOf,
} from '../../core/limits/rate-log.ts'
import type { RestMachine } from './rest-machine.ts'

/** How often a wait that was announced is honoured in vain before the key is left alone. */
export const TRIES = 4

/** A `Retry-After` of more minutes than this is not waited for. */
export const LONGEST_MINUTES = 3

export interface Refusals {
  readonly machine: Pick<RestMachine, 'now' | 'wait'>
  readonly terms: RateTerms
  /** Of the key, since it was crossed last; what is sent here comes to it. */
  log(): readonly RateRequest[]
  /** How each kind of request is sent once more, by the name of its operation; it returns the code of the answer. */
  readonly again: { readonly [operation: string]: () => Promise<string> }
  hasTimeFor(ms: number): boolean
}

/** What was announced, and after how long the key was admitted again; undefined where it was not. */
export interface WaitedOut {
  readonly announcedMs: number | undefined
  readonly recoveredMs: number | undefined
}

/**
 * Waits as long as it is told, and is admitted; a few times more where it is not. What one kind of request is told need not
 * be what others are: the one that is told to come back soonest does.
 */
export async function waitOut({ machine, terms, log, again, hasTimeFor }: Refusals): Promise<WaitedOut> {
  const since = machine.now()
  const endAt = (one: RateRequest): number => endOf(one) ?? one.answer.answeredAt + terms.minuteMs
  let announcedMs: number | undefined
  for (let tries = 0; tries < TRIES; tries += 1) {
    const refused = log().filter(isRefused)
    const lasts = Object.keys(again).flatMap((name) => refused.findLast(({ operation }) => operation === name) ?? [])
    const [soonest] = lasts.toSorted((one, other) => endAt(one) - endAt(other))
    const [last] = lasts.toSorted((one, other) => other.answer.answeredAt - one.answer.answeredAt)
    if (soonest === undefined || last === undefined) break
    // Where they are told the same, what was told last has passed only once all has.
    const chosen = endAt(soonest) < endAt(last) - EARLIER_MS ? soonest : last
    announcedMs ??= waitOf(chosen) ?? terms.minuteMs
    const wait = Math.max(0, endAt(chosen) - machine.now()) + SLACK_MS
    const ask = again[chosen.operation ?? '']
    if (ask === undefined || wait > LONGEST_MINUTES * terms.minuteMs + SLACK_MS || !hasTimeFor(wait)) break
    await machine.wait(wait)
    if ((await ask()) !== RATE_LIMITED) return { announcedMs, recoveredMs: machine.now() - since }
  }
  return { announcedMs, recoveredMs: undefined }
}
