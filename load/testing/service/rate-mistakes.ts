import { fixedWindow, type Limiter, slidingWindow } from './limiters.ts'
import { everyNth, type Mistake } from './mistake.ts'
import type { ServiceRules } from './rules.ts'

const share = (part: number): Limiter => {
  return (state, perMinute, now, minuteMs) => slidingWindow(state, Math.floor(perMinute * part), now, minuteMs)
}

/** A fixed window of so many minutes instead of one. */
const windowOf = (minutes: number): Limiter => {
  return (state, perMinute, now, minuteMs) => fixedWindow(state, perMinute, now, minutes * minuteMs)
}

/** Every n-th key over its limit is told this instead of the wait. */
function tellsAtTimes(n: number, told: '0' | undefined): (rules: ServiceRules) => void {
  return (rules) => {
    const nth = everyNth(n)
    const { retryAfter } = rules
    rules.retryAfter = (waitMs, now, operation) => (nth() ? told : retryAfter(waitMs, now, operation))
  }
}

/** Mistakes with the limit of requests a minute. */
export const rateMistakes = {
  'rate-one-too-few': {
    text: 'The last request of a minute is refused.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      const { perMinute } = rules
      rules.limiter = slidingWindow
      rules.perMinute = (key) => perMinute(key) - 1
    },
  },
  'rate-two-thirds': {
    text: 'A key is limited at two thirds of its limit.',
    laws: ['rate-refused-early'],
    seed: (rules) => void (rules.limiter = share(2 / 3)),
  },
  'rate-three-times': {
    text: 'A key is limited at three times its limit.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = share(3)),
  },
  'rate-not-enforced': {
    text: 'No key is ever limited.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = () => 0),
  },
  'rate-reads-free': {
    text: 'Only creates and closes count.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.rateCounts = (operation) => operation === 'create' || operation === 'close'),
  },
  'rate-creates-free': {
    text: 'Only reads count.',
    laws: ['rate-creates-free'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.rateCounts = (operation) => operation === 'list' || operation === 'get'
    },
  },
  'rate-gets-free': {
    text: 'Get Session does not count.',
    laws: ['rate-gets-free'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.rateCounts = (operation) => operation !== 'get'
    },
  },
  'rate-one-budget': {
    text: 'All keys share one budget.',
    laws: ['rate-other-key-refused'],
    seed: (rules) => {
      const { perMinute } = rules
      rules.perMinute = () => perMinute('rate_limited')
      rules.rateScope = () => 'all'
      rules.limiter = fixedWindow
    },
  },
  'rate-as-30008': {
    text: 'A key over its limit is told by 30008.',
    laws: ['rate-wrong-code'],
    seed: (rules) => void (rules.rateRefusal = { code: 30008, status: 429 }),
  },
  'rate-under-503': {
    text: '10008 travels under HTTP 503.',
    laws: ['rate-wrong-status'],
    seed: (rules) => void (rules.rateRefusal = { code: 10008, status: 503 }),
  },
  'rate-under-200': {
    text: '10008 travels under HTTP 200.',
    laws: ['rate-wrong-status'],
    seed: (rules) => void (rules.rateRefusal = { code: 10008, status: 200 }),
  },
  'retry-after-missing': {
    text: 'A key over its limit is not told when to come back.',
    laws: ['retry-after-missing'],
    seed: (rules) => void (rules.retryAfter = () => undefined),
  },
  'retry-after-zero': {
    text: 'Retry-After is always 0.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = () => '0'
    },
  },
  'retry-after-too-short': {
    text: 'Retry-After promises a tenth of the wait.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = (waitMs) => String(Math.floor(waitMs / 10_000))
    },
  },
  'retry-after-in-words': {
    text: 'Retry-After holds words.',
    laws: ['retry-after-unreadable'],
    seed: (rules) => void (rules.retryAfter = () => 'soon'),
  },
  'retry-after-with-unit': {
    text: 'Retry-After has a unit.',
    laws: ['retry-after-unreadable'],
    seed: (rules) => void (rules.retryAfter = (waitMs) => `${Math.ceil(waitMs / 1_000)}s`),
  },
  'rate-never-recovers': {
    text: 'A key that crossed its limit is never admitted again.',
    laws: ['rate-never-recovers'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = state.level < 0 ? 1_000 : slidingWindow(state, perMinute, now, minuteMs)
        if (wait > 0) state.level = -1
        return wait
      }
    },
  },
  'refused-rate-makes-session': {
    text: 'A create over the limit makes its session all the same.',
    laws: ['rate-refused-create-made-session', 'duplicate-after-429'],
    seed: (rules) => {
      rules.limiter = slidingWindow
      rules.rateActsAnyway = true
    },
  },
  'rate-key-stuck': {
    text: 'A create that was refused for the rate stays refused under its key.',
    laws: ['limited-key-stuck'],
    seed: (rules) => {
      rules.limiter = slidingWindow
      rules.rateSticks = true
    },
  },
  'retry-after-missing-at-times': {
    text: 'Every other key over its limit is not told when to come back.',
    laws: ['retry-after-missing'],
    seed: tellsAtTimes(2, undefined),
  },
  'retry-after-date-that-is-over': {
    text: 'Retry-After is a date that is over.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = (_waitMs, now) => new Date(now - 5_000).toUTCString()
    },
  },
  'retry-after-half': {
    text: 'Retry-After promises half of the wait.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = (waitMs) => String(Math.floor(waitMs / 2_000))
    },
  },
  'retry-after-three-seconds-short': {
    text: 'Retry-After promises three seconds less than the wait.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = (waitMs) => String(Math.max(1, Math.floor(waitMs / 1_000) - 3))
    },
  },
  'retry-after-negative': {
    text: 'Retry-After is the wait with a minus before it.',
    laws: ['retry-after-unreadable'],
    seed: (rules) => void (rules.retryAfter = (waitMs) => String(-Math.ceil(waitMs / 1_000))),
  },
  'refusal-begins-a-window': {
    text: 'A refusal begins a new window, so that the next request is admitted.',
    laws: ['rate-never-refused'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = fixedWindow(state, perMinute, now, minuteMs)
        if (wait > 0) state.since = undefined
        return wait
      }
    },
  },
  'window-of-six-minutes': {
    text: 'The requests of a minute are all that a key has for six.',
    laws: ['rate-never-recovers', 'rate-refused-early'],
    seed: (rules) => void (rules.limiter = windowOf(6)),
  },
  'retry-after-zero-at-times': {
    text: 'Every fourth key over its limit is told to come back at once, while its window stays shut.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      tellsAtTimes(4, '0')(rules)
    },
  },
  'rate-as-20004-at-times': {
    text: 'Every fifth refusal over the limit is told by 20004.',
    laws: ['rate-wrong-code'],
    seed: (rules) => {
      const fifth = everyNth(5)
      rules.rateRefusal = {
        get code() {
          return fifth() ? 20004 : 10008
        },
        status: 429,
      }
    },
  },
  'window-of-four-minutes': {
    text: 'The requests of a minute are all that a key has for four.',
    laws: ['rate-never-recovers', 'rate-refused-early'],
    seed: (rules) => void (rules.limiter = windowOf(4)),
  },
  'rate-under-503-at-times': {
    text: 'Every third 10008 travels under HTTP 503.',
    laws: ['rate-wrong-status'],
    seed: (rules) => {
      const third = everyNth(3)
      rules.rateRefusal = {
        code: 10008,
        get status() {
          return third() ? 503 : 429
        },
      }
    },
  },
  'retry-after-for-creates-only': {
    text: 'Only creates over the limit are told when to come back.',
    laws: ['retry-after-missing'],
    seed: (rules) => {
      const { retryAfter } = rules
      rules.retryAfter = (waitMs, now, operation) =>
        operation === 'create' ? retryAfter(waitMs, now, operation) : undefined
    },
  },
  'retry-after-grows': {
    text: 'Every refusal doubles the time for which a key stays refused.',
    laws: ['rate-never-recovers'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = Math.max(slidingWindow(state, perMinute, now, minuteMs), state.level - now)
        if (wait > 0) state.level = now + 2 * wait
        return Math.max(0, 2 * wait)
      }
    },
  },
  'requests-evenly-spaced': {
    text: 'Requests are admitted only as far apart as the limit spreads them over a minute.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = (state.since ?? Number.NEGATIVE_INFINITY) + minuteMs / perMinute - now
        if (wait <= 0) state.since = now
        return Math.max(0, wait)
      }
    },
  },
  'one-request-after-crossing': {
    text: 'A key that crossed its limit has a single request a minute from then on.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = slidingWindow(state, state.level < 0 ? 1 : perMinute, now, minuteMs)
        if (wait > 0) state.level = -1
        return wait
      }
    },
  },
  'limit-halved-after-crossing': {
    text: 'A key that crossed its limit has half of it from then on.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = slidingWindow(state, state.level < 0 ? Math.floor(perMinute / 2) : perMinute, now, minuteMs)
        if (wait > 0) state.level = -1
        return wait
      }
    },
  },
} as const satisfies { readonly [name: string]: Mistake }
