import { everyNth, type Mistake } from './mistake.ts'
import { noCapacity, type ServiceRules, workspaceOf } from './rules.ts'

/** So many keys are remembered, those that came last. */
function keysKnown(most: number): (rules: ServiceRules) => void {
  return (rules) => {
    const { keyScope } = rules
    const known: string[] = []
    const forgotten = new Map<string, number>()
    rules.keyScope = (key, name) => {
      const place = known.indexOf(name)
      if (place === -1) forgotten.set(name, (forgotten.get(name) ?? 0) + 1)
      else known.splice(place, 1)
      known.push(name)
      if (known.length > most) known.shift()
      return `${keyScope(key, name)} ${forgotten.get(name)}`
    }
  }
}

/** Mistakes with idempotency keys, which show when many creates are retried. */
export const stormMistakes = {
  'key-forgotten': {
    text: 'A key is forgotten when its create is answered.',
    laws: ['duplicate-after-success'],
    seed: (rules) => void (rules.remembers = () => false),
  },
  'key-forgotten-after-three-seconds': {
    text: 'A key is forgotten three seconds after its create was answered.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-timeout', 'duplicate-after-429'],
    seed: (rules) => void (rules.rememberedMs = 3_000),
  },
  'key-counts-when-done': {
    text: 'A key counts only when its create is done.',
    laws: ['duplicate-in-flight'],
    seed: (rules) => {
      rules.joinsInFlight = false
      rules.allocationMs = 60
    },
  },
  'third-try-makes-another': {
    text: 'The third create with a key makes a session of its own.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-timeout'],
    seed: (rules) => void (rules.remembers = (outcome, _code, tries) => outcome === 'made' && tries < 3),
  },
  'made-again-after-5xx': {
    text: 'A create that failed after its session was made is made again on retry.',
    laws: ['duplicate-after-5xx'],
    seed: (rules) => {
      rules.fault = (count) => (count % 3 === 0 ? 'after' : undefined)
      rules.keepsMade = false
    },
  },
  'made-again-after-timeout': {
    text: 'A create whose caller went away is made again on retry.',
    laws: ['duplicate-after-timeout'],
    seed: (rules) => {
      rules.abandoned = 'forgotten'
      rules.allocationMs = 80
    },
  },
  'made-again-after-429': {
    text: 'A create over the cap is made, and made again on retry.',
    laws: ['duplicate-after-429', 'refused-create-made-session'],
    seed: (rules) => {
      rules.cap = 2
      rules.capActsAnyway = true
      rules.holds = ({ closedAt, beside }) => closedAt === undefined && !beside
    },
  },
  'keys-cut-short': {
    text: 'Keys count without their last character.',
    laws: ['key-shared-session'],
    seed: (rules) => void (rules.keyScope = (key, name) => `${workspaceOf(key)} ${name.slice(0, -1)}`),
  },
  'refused-stays-refused': {
    text: 'A create over the cap stays refused under its key.',
    laws: ['refused-key-stuck'],
    seed: (rules) => {
      rules.cap = 2
      rules.remembers = (outcome) => outcome !== 'failed'
    },
  },
  'failed-stays-failed': {
    text: 'A create that failed inside the service stays failed under its key.',
    laws: ['failed-key-stuck'],
    seed: (rules) => {
      rules.fault = (count) => (count % 3 === 0 ? 'before' : undefined)
      rules.remembers = (outcome) => outcome !== 'refused'
    },
  },
  'abandoned-stays-refused': {
    text: 'A create whose caller went away stays refused under its key.',
    laws: ['lost-key-stuck'],
    seed: (rules) => {
      rules.abandoned = 'refused'
      rules.allocationMs = 80
    },
  },
  'key-forgotten-at-times': {
    text: 'Every seventh key is forgotten when its create is answered.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-timeout', 'duplicate-after-429'],
    seed: (rules) => {
      const seventh = everyNth(7)
      rules.remembers = (outcome, _code, tries) => outcome === 'made' && (tries > 1 || !seventh())
    },
  },
  'race-lost-at-times': {
    text: 'Every fourth create does not hold its key while it is under way.',
    laws: ['duplicate-in-flight'],
    seed: (rules) => {
      const fourth = everyNth(4)
      rules.allocationMs = 60
      Object.defineProperty(rules, 'joinsInFlight', { get: () => !fourth() })
    },
  },
  'repeat-makes-another-unseen': {
    text: 'A repeated create is told of its session, and another one is made beside it.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-timeout', 'duplicate-after-429'],
    seed: (rules) => void (rules.repeatMakesAnother = true),
  },
  'key-hashed-to-a-few': {
    text: 'Keys are told apart by a hash that has too few values.',
    laws: ['key-shared-session'],
    seed: (rules) => {
      const hash = (text: string): number => text.split('').reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 23, 7)
      rules.keyScope = (key, idempotencyKey) => `${workspaceOf(key)} ${hash(idempotencyKey)}`
    },
  },
  'two-nodes-know-keys-apart': {
    text: 'Two nodes take turns, and neither knows the keys of the other.',
    laws: ['duplicate-after-success', 'duplicate-in-flight'],
    seed: (rules) => {
      let turn = 0
      rules.keyScope = (key, idempotencyKey) => `${workspaceOf(key)} ${idempotencyKey} ${(turn += 1) % 2}`
    },
  },
  'crowded-stays-refused': {
    text: 'A create that was refused for capacity stays refused under its key.',
    laws: ['capacity-key-stuck'],
    seed: (rules) => {
      rules.capacity = (count) => (count % 4 === 0 ? noCapacity : undefined)
      rules.remembers = (outcome, code) => outcome === 'made' || code === 30008
    },
  },
  'valid-called-wrong-at-times': {
    text: 'Every third create is refused as a wrong request.',
    laws: ['valid-create-refused'],
    seed: (rules) =>
      void (rules.capacity = (count) =>
        count % 3 === 0 ? { code: 30004, status: 400, retryAfter: undefined } : undefined),
  },
  'places-kept-for-ever': {
    text: 'A closed session keeps its place, and List Sessions does not show it.',
    laws: ['place-not-freed'],
    seed: (rules) => void (rules.holds = () => true),
  },
  'place-leaked-by-some-closes': {
    text: 'Every fifth close leaks its place.',
    laws: ['place-not-freed'],
    seed: (rules) => {
      rules.cap = 6
      rules.alsoFreed = (_session, count) => (count % 5 === 0 ? -1 : 0)
    },
  },
  'sixteen-keys-known': {
    text: 'No more than the sixteen keys are known that came last.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-429', 'duplicate-after-timeout'],
    seed: keysKnown(16),
  },
  'fifth-try-makes-another': {
    text: 'The fifth create with a key makes a session of its own.',
    laws: ['duplicate-after-success', 'duplicate-in-flight', 'duplicate-after-timeout', 'duplicate-after-429'],
    seed: (rules) => void (rules.remembers = (outcome, _code, tries) => outcome === 'made' && tries < 5),
  },
  'keys-of-a-moment-shared': {
    text: 'Creates that come within the same two milliseconds are given one session.',
    laws: ['key-shared-session'],
    seed: (rules) => {
      const [{ outage, keyScope }, last] = [rules, { at: Number.NEGATIVE_INFINITY, scope: '' }]
      let now = 0
      rules.outage = (at) => {
        now = at
        return outage(at)
      }
      rules.keyScope = (key, name) => {
        const scope = keyScope(key, name)
        if (scope !== undefined && now - last.at >= 2) Object.assign(last, { at: now, scope })
        return last.scope
      }
    },
  },
  'key-without-case': {
    text: 'Keys that differ only by the case of a letter are the same.',
    laws: ['key-shared-session'],
    seed: (rules) =>
      void (rules.keyScope = (key, idempotencyKey) => `${workspaceOf(key)} ${idempotencyKey.toLowerCase()}`),
  },
  'key-cut-short': {
    text: 'Only the first characters of a key count, all but the last two.',
    laws: ['key-shared-session'],
    seed: (rules) =>
      void (rules.keyScope = (key, idempotencyKey) => `${workspaceOf(key)} ${idempotencyKey.slice(0, -2)}`),
  },
} as const satisfies { readonly [name: string]: Mistake }
