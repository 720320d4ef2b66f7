import { flaws } from './chain.ts'
import { type Measures, OTHER, Tally } from './tally.ts'

/** How a conversation can end; each begins once and ends once. */
const conversations = ['begun', 'whole', 'refused', 'unsafe', 'unopened', 'cut', 'stopped', OTHER] as const

/** What can become of a request for a response. */
const responses = ['whole', 'broken', 'unfinished', 'rejected', 'silent', 'flooded', 'cut', OTHER] as const

export type Ending = Exclude<(typeof conversations)[number], 'begun'>
export type Answer = (typeof responses)[number]

/** The words of the interface that become keys. */
export interface Words {
  readonly serverEvents: readonly string[]
  readonly errorCodes: readonly string[]
}

export type ConverseCount = 'events' | 'conversations' | 'responses' | 'flaws' | 'refusals' | 'turned_away'
export type ConverseTime = 'handler_lag_ms' | 'created_ms' | 'first_delta_ms' | 'delta_gap_ms' | 'response_ms'
export type ConverseTally = Tally<ConverseCount, ConverseTime>

/** What is measured of conversations on the control channel. Times are from our send to the arrival at our socket. */
export function converseMeasures(words: Words): Measures<ConverseCount, ConverseTime> {
  const refusals = [...words.errorCodes, 'http-5xx', 'no-envelope', 'network', OTHER]
  return {
    counts: {
      events: [...words.serverEvents, 'unreadable', OTHER],
      conversations,
      responses,
      flaws: [...flaws, OTHER],
      // Of every attempt, and of those that were the last.
      refusals,
      turned_away: refusals,
    },
    times: ['handler_lag_ms', 'created_ms', 'first_delta_ms', 'delta_gap_ms', 'response_ms'],
  }
}
