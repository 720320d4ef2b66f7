import {
  bothOf,
  clockMinute,
  fixedWindow,
  onTwoNodes,
  slidingWindow,
  steppedBucket,
  strictSlidingWindow,
  tokenBucket,
  weightedWindows,
} from './limiters.ts'
import { noCapacity, type ServiceRules } from './rules.ts'

type Kind = (rules: ServiceRules, random: () => number) => void

/** Correct services: whatever they do, no law may be found broken. */
export const correctKinds = {
  'fixed window': (rules) => void (rules.limiter = fixedWindow),
  'minutes of the clock': (rules) => void (rules.limiter = clockMinute),
  'sliding window': (rules) => void (rules.limiter = slidingWindow),
  'sliding window that counts refused requests': (rules) => void (rules.limiter = strictSlidingWindow),
  'token bucket': (rules) => void (rules.limiter = tokenBucket),
  'two nodes that count apart': (rules) => void (rules.limiter = onTwoNodes(slidingWindow)),
  'token bucket and sliding window at once': (rules) => void (rules.limiter = bothOf(tokenBucket, slidingWindow)),
  'token bucket that is filled every ten seconds': (rules) => void (rules.limiter = steppedBucket),
  'Retry-After in steps of ten seconds': (rules) =>
    void (rules.retryAfter = (waitMs) => String(Math.ceil(waitMs / 10_000) * 10)),
  'shut for two minutes, as it is told': (rules) => {
    rules.limiter = (state, perMinute, now, minuteMs) => {
      if (state.since !== undefined && now < state.since) return state.since - now
      const wait = slidingWindow(state, perMinute, now, minuteMs)
      if (wait > 0) state.since = now + 2 * minuteMs
      return wait > 0 ? 2 * minuteMs : 0
    }
  },
  'Retry-After as a date, by a clock of its own': (rules, random) => {
    const ahead = (random() - 0.5) * 10_000_000
    rules.clock = (now) => now + ahead
    rules.retryAfter = (waitMs, now) => new Date(Math.ceil((now + waitMs) / 1_000) * 1_000).toUTCString()
  },
  'Retry-After as a date, behind edges that write dates by clocks of their own': (rules) => {
    let [right, dates] = [0, 0]
    rules.clock = (now) => {
      right = now
      dates += 1
      return dates % 2 === 0 ? now + 100_000 : now
    }
    rules.retryAfter = (waitMs) => new Date(Math.ceil((right + waitMs) / 1_000) * 1_000).toUTCString()
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
    void (rules.capacity = (count) => (count % 4 === 0 ? noCapacity : undefined)),
  'short of capacity half of the time': (rules) =>
    void (rules.capacity = (count) => (count % 2 === 0 ? noCapacity : undefined)),
  'short of capacity in waves of five seconds': (rules) =>
    void (rules.capacity = (_count, now) => (Math.floor(now / 5_000) % 2 === 1 ? noCapacity : undefined)),
  'short of capacity for half a minute': (rules) =>
    void (rules.capacity = (_count, now) => (now < 1_030_000 ? noCapacity : undefined)),
  'short of capacity for a minute': (rules, random) => {
    const from = 1_000_000 + random() * 4_000
    rules.capacity = (_count, now) => (now >= from && now < from + 60_000 ? noCapacity : undefined)
  },
  'away for a minute': (rules, random) => {
    const from = 1_000_000 + random() * 4_000
    rules.outage = (now) => (now >= from && now < from + 60_000 ? (random() < 0.5 ? 'reset' : 'page') : undefined)
  },
  'without balance after a while': (rules, random) => {
    const from = 1_000_000 + random() * 60_000
    rules.capacity = (_count, now) => (now >= from ? { code: 10005, status: 402, retryAfter: undefined } : undefined)
  },
  'two windows, of which the older one weighs less and less': (rules) => void (rules.limiter = weightedWindows),
  'repeated creates refused where it is full': (rules) => void (rules.repeatNeedsPlace = true),
  'a create in progress told by 409': (rules) => {
    rules.conflict = { code: 40900, status: 409 }
    rules.allocationMs = 300
  },
  'a create in progress told by 503': (rules) => {
    rules.conflict = { code: 50300, status: 503 }
    rules.allocationMs = 300
  },
  'ending sessions by itself at times': (rules) =>
    void (rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)),
  'keeping the place of a session that ended by itself until it is closed': (rules) =>
    void (rules.holds = ({ closedAt, endedItself, closeHeard }) =>
      closedAt === undefined || (endedItself && !closeHeard)),
  'ending every session after three seconds': (rules) => void (rules.lifetimeMs = () => 3_000),
  'sessions that fail by themselves at times': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.endedStatus = 'failed'
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times and are never closed': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 60_000 : undefined)
    rules.endedStatus = 'closing'
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times, told under another name': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.statusPlace = 'session'
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times, told late': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.getLagMs = 1_500
    rules.listLagMs = 1_500
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times, and that lists go on to name': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.lists = () => true
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times, that lists go on to name, and whose status stands nowhere': (rules) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.lists = () => true
    rules.statusPlace = 'nowhere'
    rules.keysEndWithSession = true
  },
  'sessions that end by themselves at times, that lists name until they are closed, and whose status stands nowhere': (
    rules,
  ) => {
    rules.lifetimeMs = (random) => (random() < 0.2 ? random() * 5_000 : undefined)
    rules.lists = ({ closedAt, closeHeard }) => closedAt === undefined || !closeHeard
    rules.statusPlace = 'nowhere'
    rules.keysEndWithSession = true
  },
  'the status of a session under another name': (rules) => void (rules.statusPlace = 'session'),
  'the status of a session nowhere': (rules) => void (rules.statusPlace = 'nowhere'),
  'lagging Get and List': (rules) => {
    rules.getLagMs = 1_500
    rules.listLagMs = 1_500
  },
  'answers lost at times': (rules) => void (rules.losesAnswer = (random) => random() < 0.03),
  'pages of a proxy at times': (rules, random) =>
    void (rules.outage = () => (random() < 0.03 ? (random() < 0.5 ? 'page' : 'reset') : undefined)),
  'Retry-After twice as long as needed': (rules) =>
    void (rules.retryAfter = (waitMs) => String(Math.ceil((2 * waitMs) / 1_000))),
  'limited at nearly twice the limit': (rules) =>
    void (rules.limiter = (state, perMinute, now, minuteMs) =>
      fixedWindow(state, Math.floor(perMinute * 1.9), now, minuteMs)),
  'cleaning up for nine seconds': (rules) => void (rules.cleanupMs = 9_000),
  'places freed eight seconds late': (rules) =>
    void (rules.holds = ({ closedAt }, now) => closedAt === undefined || now < closedAt + 8_000),
  'sessions of a minute where no duration is named': (rules) =>
    void (rules.durations = { unasked: 60, longest: 7_200 }),
  'no session longer than two minutes': (rules) => void (rules.durations = { unasked: 120, longest: 120 }),
  'no session longer than two minutes, and refused keys stay refused': (rules) => {
    rules.durations = { unasked: 120, longest: 120 }
    rules.remembers = (outcome, code) => outcome === 'made' || code === 30004
  },
  'keys joined late': (rules) => {
    rules.allocationMs = 300
    rules.travelMs = (random) => 5 + random() * 200
  },
} as const satisfies { readonly [kind: string]: Kind }

export type CorrectKind = keyof typeof correctKinds
