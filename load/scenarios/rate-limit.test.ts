import { expect, test } from 'vitest'
import { play } from '../testing/play.ts'
import { correctKinds } from '../testing/service/correct.ts'
import { rateBanMistakes } from '../testing/service/rate-ban-mistakes.ts'
import { rateMistakes } from '../testing/service/rate-mistakes.ts'
import { rateLimit } from './rate-limit.ts'

/** More of them by hand: `GREENROOM_SEEDS=1000 npx vitest run load`. */
const SEEDS = Array.from({ length: Number(process.env['GREENROOM_SEEDS'] ?? 60) }, (_, index) => index + 1)

const keysOf = (limit: number) =>
  [
    { name: 'rate_limited', requests_per_minute: limit, concurrent_sessions: undefined },
    { name: 'primary', requests_per_minute: 6_000, concurrent_sessions: undefined },
  ] as const

const limitOf = (seed: number): number => [24, 12, 40, 6][seed % 4] ?? 24

test.each(Object.entries({ ...rateMistakes, ...rateBanMistakes }))(
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
