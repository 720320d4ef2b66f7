import { expect, test } from 'vitest'
import { play } from '../testing/play.ts'
import { correctKinds } from '../testing/service/correct.ts'
import { rateBanMistakes } from '../testing/service/rate-ban-mistakes.ts'
import { rateMistakes } from '../testing/service/rate-mistakes.ts'
import { ratePaceMistakes } from '../testing/service/rate-pace-mistakes.ts'
import { noCapacity, type ServiceRules } from '../testing/service/rules.ts'
import { rateLimit } from './rate-limit.ts'

/** More of them by hand: `GREENROOM_SEEDS=1000 npx vitest run load`. */
const SEEDS = Array.from({ length: Number(process.env['GREENROOM_SEEDS'] ?? 60) }, (_, index) => index + 1)

const keysOf = (limit: number) =>
  [
    { name: 'rate_limited', requests_per_minute: limit, concurrent_sessions: undefined },
    { name: 'primary', requests_per_minute: 6_000, concurrent_sessions: undefined },
  ] as const

const limitOf = (seed: number): number => [24, 12, 40, 6][seed % 4] ?? 24

test.each(Object.entries({ ...rateMistakes, ...rateBanMistakes, ...ratePaceMistakes }))(
  'the mistake %s is found',
  async (_, { seed: seedMistake, laws }) => {
    for (const seed of SEEDS) {
      const limit = limitOf(seed)
      const { broken, service, lastedMs } = await play(rateLimit, {
        seed,
        keys: keysOf(limit),
        seedRules: (rules) => {
          rules.perMinute = () => limit
          seedMistake(rules)
        },
      })
      expect({ seed, found: laws.some((law) => broken.includes(law)), broken }).toMatchObject({ seed, found: true })
      expect(service.open()).toBe(0)
      // k6 breaks off what takes longer, and nothing is judged then.
      expect({ seed, lastedMs }).toEqual({ seed, lastedMs: expect.toSatisfy((ms: number) => ms < 1_140_000) })
    }
  },
)

test.each(Object.entries(correctKinds))('nothing is found against a correct service: %s', async (_, seedKind) => {
  for (const seed of SEEDS) {
    const limit = limitOf(seed)
    const { broken, held, service, lastedMs } = await play(rateLimit, {
      seed,
      keys: keysOf(limit),
      seedRules: (rules, random) => {
        rules.perMinute = () => limit
        seedKind(rules, random)
      },
    })
    expect({ seed, broken }).toEqual({ seed, broken: [] })
    expect(held).toContain('rate-never-refused')
    expect(service.open()).toBe(0)
    // k6 breaks off what takes longer, and nothing is judged then.
    expect({ seed, lastedMs }).toEqual({ seed, lastedMs: expect.toSatisfy((ms: number) => ms < 1_140_000) })
  }
})

test.each([
  ['a cap of one', (rules) => void (rules.cap = 1)],
  ['a cap of three', (rules) => void (rules.cap = 3)],
  [
    'a lack of capacity now and then',
    (rules) => void (rules.capacity = (count) => (count % 4 === 0 ? noCapacity : undefined)),
  ],
  ['creates that take half a second', (rules) => void (rules.allocationMs = 500)],
] as const satisfies readonly (readonly [string, (rules: ServiceRules) => void])[])(
  'creates and Gets that are free of the limit are found beside %s',
  async (_, change) => {
    for (const mistake of ['rate-creates-free', 'rate-gets-free'] as const)
      for (const seed of SEEDS.slice(0, 12)) {
        const { broken, service } = await play(rateLimit, {
          seed,
          keys: keysOf(60),
          seedRules: (rules) => {
            rules.perMinute = (key) => (key === 'primary' ? 6_000 : 60)
            change(rules)
            rateMistakes[mistake].seed(rules)
          },
        })
        expect({ mistake, seed, broken }).toMatchObject({ broken: expect.arrayContaining([mistake]) })
        expect(service.open()).toBe(0)
      }
  },
)
