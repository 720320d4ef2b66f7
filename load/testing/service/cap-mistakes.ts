import { everyNth, type Mistake } from './mistake.ts'
import { noCapacity } from './rules.ts'

/** Mistakes with the cap on open sessions. */
export const capMistakes = {
  'cap-one-too-many': {
    text: 'One session more than the cap is let in.',
    laws: ['cap-exceeded'],
    seed: (rules) => void (rules.admits = (taken, cap) => taken <= cap),
  },
  'cap-one-too-few': {
    text: 'The last place is never given.',
    laws: ['cap-below-declared'],
    seed: (rules) => void (rules.admits = (taken, cap) => taken < cap - 1),
  },
  'cap-not-enforced': {
    text: 'Nobody is ever refused for want of a place.',
    laws: ['cap-exceeded'],
    seed: (rules) => void (rules.admits = () => true),
  },
  'cap-blind-in-flight': {
    text: 'Creates that are still under way are not counted.',
    laws: ['cap-overrun', 'cap-exceeded'],
    seed: (rules) => {
      rules.countsInFlight = false
      rules.allocationMs = 150
    },
  },
  'cap-per-key': {
    text: 'Each key of a workspace has a cap of its own.',
    laws: ['cap-not-shared', 'cap-exceeded'],
    seed: (rules) => void (rules.capScope = (key) => key),
  },
  'cap-as-30008': {
    text: 'A full workspace is told by 30008.',
    laws: ['cap-wrong-code'],
    seed: (rules) => void (rules.capRefusal = noCapacity),
  },
  'cap-as-20004': {
    text: 'A full workspace is told by 20004.',
    laws: ['cap-wrong-code'],
    seed: (rules) => void (rules.capRefusal = { code: 20004, status: 400, retryAfter: undefined }),
  },
  'cap-under-403': {
    text: '30006 travels under HTTP 403.',
    laws: ['cap-wrong-status'],
    seed: (rules) => void (rules.capRefusal = { code: 30006, status: 403, retryAfter: undefined }),
  },
  'cap-under-503': {
    text: '30006 travels under HTTP 503.',
    laws: ['cap-wrong-status'],
    seed: (rules) => void (rules.capRefusal = { code: 30006, status: 503, retryAfter: undefined }),
  },
  'cap-with-retry-after': {
    text: '30006 comes with a Retry-After.',
    laws: ['cap-retry-after'],
    seed: (rules) => void (rules.capRefusal = { code: 30006, status: 429, retryAfter: '5' }),
  },
  'place-kept-for-ever': {
    text: 'A closed session keeps its place.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = () => true),
  },
  'place-freed-late': {
    text: 'A place becomes free a minute after its session is closed.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt }, now) => closedAt === undefined || now < closedAt + 60_000),
  },
  'place-leaked-at-times': {
    text: 'Every third close leaks its place.',
    laws: ['place-not-freed', 'refused-create-holds-place'],
    seed: (rules) => void (rules.alsoFreed = (_session, count) => (count % 3 === 0 ? -1 : 0)),
  },
  'place-freed-twice': {
    text: 'A session that is closed twice frees two places.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: (rules) => void (rules.alsoFreed = ({ closeAskedAt }) => (closeAskedAt === undefined ? 0 : 1)),
  },
  'refused-at-cap-holds-place': {
    text: 'A create that is refused with 30006 takes a place.',
    laws: ['refused-create-holds-place', 'place-not-freed'],
    seed: (rules) => void (rules.takenByRefusal = (code) => (code === 30006 ? 1 : 0)),
  },
  'invalid-create-holds-place': {
    text: 'An invalid create takes a place.',
    laws: ['refused-create-holds-place'],
    seed: (rules) => void (rules.takenByRefusal = (code) => (code === 30004 ? 1 : 0)),
  },
  'refused-create-makes-session': {
    text: 'A create that is refused with 30006 makes its session all the same.',
    laws: ['refused-create-made-session'],
    seed: (rules) => void (rules.capActsAnyway = true),
  },
  'refused-key-stuck': {
    text: 'A create that was refused with 30006 stays refused under its key.',
    laws: ['refused-key-stuck'],
    seed: (rules) => void (rules.remembers = () => true),
  },
  'repeated-create-holds-place': {
    text: 'A create that is repeated takes a second place, which no close frees.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.takenByRepeat = 1),
  },
  'tenth-refusal-holds-place': {
    text: 'Every tenth create that is refused with 30006 takes a place.',
    laws: ['refused-create-holds-place', 'place-not-freed', 'cap-below-declared'],
    seed: (rules) => {
      const tenth = everyNth(10)
      rules.takenByRefusal = (code) => (code === 30006 && tenth() ? 1 : 0)
    },
  },
  'cap-fifth-slips-in': {
    text: 'Every fifth create at the cap is let in.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: (rules) => {
      const fifth = everyNth(5)
      rules.admits = (taken, cap) => taken < cap || fifth()
    },
  },
  'place-freed-twice-at-times': {
    text: 'Every third close frees two places.',
    laws: ['cap-exceeded', 'cap-overrun'],
    seed: (rules) => void (rules.alsoFreed = (_session, count) => (count % 3 === 0 ? 1 : 0)),
  },
  'place-freed-after-fifteen-seconds': {
    text: 'A place becomes free fifteen seconds after its session is closed.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = ({ closedAt }, now) => closedAt === undefined || now < closedAt + 15_000),
  },
  'cap-retry-after-at-times': {
    text: 'Every third 30006 comes with a Retry-After.',
    laws: ['cap-retry-after'],
    seed: (rules) => {
      const third = everyNth(3)
      rules.capRefusal = {
        code: 30006,
        status: 429,
        get retryAfter() {
          return third() ? '1' : undefined
        },
      }
    },
  },
  'place-freed-for-its-key-only': {
    text: 'A place becomes free only for the key that closed its session.',
    laws: ['cap-not-shared'],
    seed: (rules) => void (rules.holds = ({ closedAt, key }, _now, by) => closedAt === undefined || by !== key),
  },
  'cap-read-at-times': {
    text: 'How many sessions are open is read at every third create only.',
    laws: ['cap-exceeded', 'cap-overrun', 'place-not-freed'],
    seed: (rules) => {
      const third = everyNth(3)
      let known = 0
      rules.admits = (taken, cap) => {
        if (third()) known = taken
        return known < cap
      }
    },
  },
} as const satisfies { readonly [name: string]: Mistake }
