import { clockMinute, fixedWindow, onTwoNodes, slidingWindow, strictSlidingWindow, tokenBucket } from './limiters.ts'
import type { ServiceRules } from './rules.ts'

type Kind = (rules: ServiceRules, random: () => number) => void

/** Correct services: whatever they do, no law may be found broken. */
export const correctKinds = {
  'fixed window': (rules) => void (rules.limiter = fixedWindow),
  'minutes of the clock': (rules) => void (rules.limiter = clockMinute),
  'sliding window': (rules) => void (rules.limiter = slidingWindow),
  'sliding window that counts refused requests': (rules) => void (rules.limiter = strictSlidingWindow),
  'token bucket': (rules) => void (rules.limiter = tokenBucket),
  'two nodes that count apart': (rules) => void (rules.limiter = onTwoNodes(slidingWindow)),
  'Retry-After as a date, by a clock of its own': (rules, random) => {
    const ahead = (random() - 0.5) * 10_000_000
    rules.clock = (now) => now + ahead
    rules.retryAfter = (waitMs, now) => new Date(Math.ceil((now + waitMs) / 1_000) * 1_000).toUTCString()
  },
  slow: (rules) => {
    rules.travelMs = (random) => 50 + random() * 1_500
    rules.allocationMs = 1_200
    rules.cleanupMs = 3_000
  },
  'lagging List': (rules) => void (rules.listLagMs = 1_500),
  'restarting once': (rules, random) => {
    const from = 1_000_000 + random() * 60_000
    rules.outage = (now) => (now >= from && now < from + 4_000 ? (now % 2 < 1 ? 'reset' : 'page') : undefined)
  },
  'places freed a second late': (rules) =>
    void (rules.holds = ({ closedAt }, now) => closedAt === undefined || now < closedAt + 1_000),
  'closing sessions hold no place': (rules) => void (rules.holds = ({ closeAskedAt }) => closeAskedAt === undefined),
  'creates that fail at times': (rules) =>
    void (rules.fault = (count) => (count % 5 === 0 ? 'before' : count % 7 === 0 ? 'after' : undefined)),
  'short of capacity at times': (rules) =>
    void (rules.capacity = (count) =>
      count % 4 === 0 ? { code: 30008, status: 429, retryAfter: undefined } : undefined),
  'keys joined late': (rules) => {
    rules.allocationMs = 300
    rules.travelMs = (random) => 5 + random() * 200
  },
} as const satisfies { readonly [kind: string]: Kind }

export type CorrectKind = keyof typeof correctKinds
