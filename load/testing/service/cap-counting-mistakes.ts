import { everyNth, type Mistake } from './mistake.ts'
import { noCapacity, type ServiceRules } from './rules.ts'

/** Each time that an idempotency key comes: how often it has come by now. */
function onTry(rules: ServiceRules, told: (tries: number) => void): void {
  const { keyScope } = rules
  const seen = new Map<string, number>()
  rules.keyScope = (key, name) => {
    const tries = (seen.get(name) ?? 0) + 1
    seen.set(name, tries)
    told(tries)
    return keyScope(key, name)
  }
}

/** A session takes a place for its first `ms` only. */
function takesPlaceFor(ms: number): (rules: ServiceRules) => void {
  return (rules) => {
    rules.holds = ({ closedAt, createdAt }, now) => closedAt === undefined && now < createdAt + ms
  }
}

/** A create that came so often with its key is let in. */
function letsInFromTry(most: number): (rules: ServiceRules) => void {
  return (rules) => {
    const { admits } = rules
    let now = 0
    onTry(rules, (tries) => (now = tries))
    rules.admits = (taken, cap) => now >= most || admits(taken, cap)
  }
}

/** A create that is refused in this way takes a place for its next `ms`. */
function heldByRefusal(refusal: number, ms: number): (rules: ServiceRules) => void {
  return (rules) => {
    const { outage, admits } = rules
    let now = 0
    let until: number[] = []
    rules.outage = (at) => {
      now = at
      return outage(at)
    }
    rules.takenByRefusal = (code) => {
      if (code === refusal) until.push(now + ms)
      return 0
    }
    rules.admits = (taken, cap) => {
      until = until.filter((one) => one > now)
      return admits(taken + until.length, cap)
    }
  }
}

/** Mistakes of counting: creates that came to nothing take or free places, and keys that were seen before are not counted. */
export const capCountingMistakes = {
  'abandoned-create-holds-place': {
    text: 'A create whose caller went away takes a place beside that of its session.',
    laws: ['place-not-freed'],
    seed: (rules) => {
      rules.takenByAbandoned = 1
      rules.allocationMs = 80
    },
  },
  'failed-create-holds-place': {
    text: 'A create that failed inside the service takes a place.',
    laws: ['place-not-freed', 'refused-create-holds-place', 'cap-below-declared'],
    seed: (rules) => {
      rules.fault = (count) => (count % 4 === 0 ? 'before' : undefined)
      rules.takenByRefusal = (code) => (code === 50000 ? 1 : 0)
    },
  },
  'crowded-create-holds-place': {
    text: 'A create that was refused for capacity takes a place.',
    laws: ['place-not-freed', 'refused-create-holds-place', 'cap-below-declared'],
    seed: (rules) => {
      rules.capacity = (count) => (count % 4 === 0 ? noCapacity : undefined)
      rules.takenByRefusal = (code) => (code === 30008 ? 1 : 0)
    },
  },
  'invalid-create-holds-place-for-five-seconds': {
    text: 'An invalid create takes a place for five seconds.',
    laws: ['refused-create-holds-place'],
    seed: heldByRefusal(30004, 5_000),
  },
  'refused-at-cap-holds-place-for-five-seconds': {
    text: 'A create that is refused with 30006 takes a place for five seconds.',
    laws: ['refused-create-holds-place', 'place-not-freed'],
    seed: heldByRefusal(30006, 5_000),
  },
  'every-other-close-refused-for-the-rate': {
    text: 'Every other close is refused with 10008, far below the limit.',
    laws: ['rate-refused-early'],
    seed: (rules) => {
      const [{ rateCounts, limiter }, other] = [rules, everyNth(2)]
      let isClose = false
      rules.rateCounts = (operation) => {
        isClose = operation === 'close'
        return rateCounts(operation)
      }
      rules.limiter = (state, perMinute, now, minuteMs) =>
        isClose && other() ? 1_000 : limiter(state, perMinute, now, minuteMs)
    },
  },
  'refusal-frees-place': {
    text: 'A create that is refused with 30006 frees a place.',
    laws: ['cap-exceeded'],
    seed: (rules) => void (rules.takenByRefusal = (code) => (code === 30006 ? -1 : 0)),
  },
  'invalid-create-frees-place': {
    text: 'An invalid create frees a place.',
    laws: ['cap-exceeded'],
    seed: (rules) => void (rules.takenByRefusal = (code) => (code === 30004 ? -1 : 0)),
  },
  'place-taken-for-three-seconds': {
    text: 'A session takes a place for its first three seconds only.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: takesPlaceFor(3_000),
  },
  'place-taken-for-eight-seconds': {
    text: 'A session takes a place for its first eight seconds only.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: takesPlaceFor(8_000),
  },
  'place-freed-twice-while-closing': {
    text: 'A session that is closed once more while it is closing frees two places.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: (rules) => {
      rules.alsoFreed = ({ closeAskedAt, closedAt }) => (closeAskedAt !== undefined && closedAt === undefined ? 1 : 0)
    },
  },
  'first-close-frees-four': {
    text: 'The first close frees four places.',
    laws: ['cap-exceeded'],
    seed: (rules) => void (rules.alsoFreed = (_session, count) => (count === 1 ? 3 : 0)),
  },
  'second-try-let-in': {
    text: 'A create that was refused with 30006 is let in when it is sent again.',
    laws: ['cap-exceeded'],
    seed: letsInFromTry(2),
  },
  'third-try-let-in': {
    text: 'A create that was refused with 30006 twice is let in when it is sent once more.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: letsInFromTry(3),
  },
} as const satisfies { readonly [name: string]: Mistake }
