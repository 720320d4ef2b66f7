import { expect, test } from 'vitest'
import { play } from '../testing/play.ts'
import { capChannelMistakes } from '../testing/service/cap-channel-mistakes.ts'
import { capCountingMistakes } from '../testing/service/cap-counting-mistakes.ts'
import { capMistakes } from '../testing/service/cap-mistakes.ts'
import { correctKinds } from '../testing/service/correct.ts'
import { concurrencyLimit } from './concurrency-limit.ts'

/** More of them by hand: `GREENROOM_SEEDS=1000 npx vitest run load`. */
const SEEDS = Array.from({ length: Number(process.env['GREENROOM_SEEDS'] ?? 60) }, (_, index) => index + 1)

const keysOf = (cap: number | undefined, perMinute = 6_000) =>
  [
    { name: 'primary', requests_per_minute: perMinute, concurrent_sessions: cap },
    { name: 'same_workspace', requests_per_minute: perMinute, concurrent_sessions: cap },
  ] as const

test.each(Object.entries({ ...capMistakes, ...capCountingMistakes, ...capChannelMistakes }))(
  'the mistake %s is found',
  async (_, { seed: seedMistake, laws }) => {
    for (const seed of SEEDS) {
      const cap = 1 + (seed % 6)
      const { broken, service } = await play(concurrencyLimit, {
        seed,
        keys: keysOf(cap),
        seedRules: (rules) => {
          rules.perMinute = () => 6_000
          rules.cap = cap
          seedMistake(rules)
        },
      })
      expect({ seed, found: laws.some((law) => broken.includes(law)), broken }).toMatchObject({ seed, found: true })
      expect(service.open()).toBe(0)
    }
  },
)

test.each(Object.entries(correctKinds))('nothing is found against a correct service: %s', async (kind, seedKind) => {
  for (const seed of SEEDS) {
    const cap = 1 + (seed % 6)
    const declared = seed % 2 === 0 ? cap : undefined
    const { broken, tally, service } = await play(concurrencyLimit, {
      seed,
      keys: keysOf(declared, seed % 3 === 0 ? 60 : 6_000),
      seedRules: (rules, random) => {
        rules.perMinute = () => (seed % 3 === 0 ? 60 : 6_000)
        rules.cap = cap
        seedKind(rules, random)
      },
    })
    expect({ seed, broken }).toEqual({ seed, broken: [] })
    const [found] = [...tally.counts('cap_found')].filter(([, times]) => times > 0)
    const hides = hidesCap.includes(kind) || kind.startsWith('sessions that')
    expect(hides ? ['none', String(cap)] : [String(cap)]).toContain(found?.[0])
    expect(service.open()).toBe(0)
  }
})

/** A create whose answer was lost, or a session that may have ended, may hold a place; and where capacity lacks, nobody gets one: nobody knows the cap. */
const hidesCap = [
  'restarting once',
  'repeated creates refused where it is full',
  'answers lost at times',
  'pages of a proxy at times',
  'ending sessions by itself at times',
  'ending every session after three seconds',
  'short of capacity for half a minute',
  'short of capacity for a minute',
  'away for a minute',
  'without balance after a while',
]

test('nothing is found against a correct service in whose workspace others come and go', async () => {
  for (const seed of SEEDS) {
    const cap = 2 + (seed % 6)
    const { broken } = await play(concurrencyLimit, {
      seed,
      others: 1 + (seed % 3),
      keys: [{ name: 'primary', requests_per_minute: 6_000, concurrent_sessions: seed % 2 === 0 ? cap : undefined }],
      seedRules: (rules) => {
        rules.perMinute = () => 6_000
        rules.cap = cap
      },
    })
    expect({ seed, broken }).toEqual({ seed, broken: [] })
  }
})

test('sessions that ended while a create was refused for the rate are not counted beside those that came after', async () => {
  for (const seed of SEEDS) {
    const cap = 1 + (seed % 6)
    const { broken } = await play(concurrencyLimit, {
      seed,
      keys: keysOf(cap),
      heardAfterMs: 1,
      seedRules: (rules) => {
        rules.perMinute = () => 6_000
        rules.cap = cap
        rules.lifetimeMs = () => 60_000 + (seed % 13) * 10_000
        rules.capRefusal = { code: 10008, status: 429, retryAfter: undefined }
      },
    })
    expect({ seed, broken: broken.filter((law) => law !== 'cap-wrong-code') }).toEqual({ seed, broken: [] })
  }
})

test.each(['place-kept-for-ever', 'place-leaked-at-times', 'invalid-create-holds-place'] as const)(
  'the mistake %s is found where Get tells the status of a session under another name',
  async (mistake) => {
    for (const seed of SEEDS) {
      const cap = 1 + (seed % 6)
      const { broken } = await play(concurrencyLimit, {
        seed,
        keys: keysOf(cap),
        seedRules: (rules) => {
          rules.perMinute = () => 6_000
          rules.cap = cap
          rules.statusPlace = 'session'
          capMistakes[mistake].seed(rules)
        },
      })
      expect({ seed, broken }).not.toEqual({ seed, broken: [] })
    }
  },
)

test.each(['closes at once', 'takes nine seconds to close', 'tells no status'])(
  'a key with sixty requests a minute is asked no more than that, of a service that %s',
  async (kind) => {
    const at: number[] = []
    const { broken, lastedMs } = await play(concurrencyLimit, {
      seed: 5,
      keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: 6 }],
      seedRules: (rules) => {
        rules.cap = 6
        rules.cleanupMs = kind.startsWith('takes') ? 9_000 : 50
        rules.statusPlace = kind.startsWith('tells') ? 'nowhere' : 'data'
        const { limiter } = rules
        rules.limiter = (state, perMinute, now, minuteMs) => {
          at.push(now)
          return limiter(state, perMinute, now, minuteMs)
        }
      },
    })
    expect(broken).toEqual([])
    expect(Math.max(...at.map((from) => at.filter((one) => one >= from && one < from + 60_000).length))).toBeLessThan(
      60,
    )
    expect(lastedMs).toBeLessThan(180_000)
  },
)

test('creates that are sent at once come at once on a key with sixty requests a minute, too: a cap that is blind for them is found', async () => {
  for (const seed of SEEDS) {
    const cap = 1 + (seed % 6)
    const { broken } = await play(concurrencyLimit, {
      seed,
      keys: keysOf(cap, 60),
      seedRules: (rules) => {
        rules.cap = cap
        capMistakes['cap-blind-in-flight'].seed(rules)
      },
    })
    expect({ seed, broken }).not.toEqual({ seed, broken: [] })
  }
})
