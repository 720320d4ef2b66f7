import { filledFaster, fixedWindow, type Limiter, slidingWindow } from './limiters.ts'
import type { Mistake } from './mistake.ts'
import type { ServiceRules } from './rules.ts'

/** A fixed window of this part of a minute. */
const windowOfPart = (part: number): Limiter => {
  return (state, perMinute, now, minuteMs) => fixedWindow(state, perMinute, now, minuteMs * part)
}

/** By what is asked for, which is known before the limiter is asked. */
function byOperation(rules: ServiceRules, change: (operation: () => string) => void): void {
  let asked = ''
  rules.rateCounts = (operation) => {
    asked = operation
    return true
  }
  change(() => asked)
}

/** Each burst is refused at the limit, and a minute lets in many times as much; or what counts is not what was sent. */
export const ratePaceMistakes = {
  'bucket-filled-twice-as-fast': {
    text: 'A minute gives back twice its requests.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = filledFaster(2)),
  },
  'bucket-filled-three-times-as-fast': {
    text: 'A minute gives back three times its requests.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = filledFaster(3)),
  },
  'window-of-twenty-seconds': {
    text: 'The requests of a minute are there again after twenty seconds.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = windowOfPart(1 / 3)),
  },
  'window-of-a-second': {
    text: 'The requests of a minute are there again after a second.',
    laws: ['rate-never-refused'],
    seed: (rules) => void (rules.limiter = windowOfPart(1 / 60)),
  },
  'rate-budget-per-operation': {
    text: 'Each operation has a budget of its own.',
    laws: ['rate-creates-free', 'rate-gets-free', 'rate-never-refused'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      byOperation(rules, (operation) => (rules.rateScope = (key) => `${key} ${operation()}`))
    },
  },
  'rate-lists-count-twice': {
    text: 'A List counts as two requests.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      byOperation(rules, (operation) => {
        rules.limiter = (state, perMinute, now, minuteMs) => {
          const wait = fixedWindow(state, perMinute, now, minuteMs)
          if (wait === 0 && operation() === 'list') state.level += 1
          return wait
        }
      })
    },
  },
  'rate-of-requests-in-flight': {
    text: 'Not the requests of a minute are counted, but those at the same moment.',
    laws: ['rate-refused-early', 'rate-never-refused'],
    seed: (rules) => {
      rules.limiter = (state, _perMinute, now) => {
        state.times = state.times.filter((time) => now - time < 3)
        state.times.push(now)
        return state.times.length > 4 ? 1_000 : 0
      }
    },
  },
  'retry-after-counts-up': {
    text: 'Retry-After tells how long ago the window began.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = fixedWindow
      rules.retryAfter = (waitMs) => String(Math.ceil((rules.minuteMs - waitMs) / 1_000))
    },
  },
  'refused-rate-makes-the-session-of-its-key': {
    text: 'A create over the limit makes its session, and is told of it when it comes again.',
    laws: ['rate-refused-create-made-session'],
    seed: (rules) => {
      rules.limiter = slidingWindow
      rules.rateActsAnyway = 'under its key'
    },
  },
} as const satisfies { readonly [name: string]: Mistake }
