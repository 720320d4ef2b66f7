import { expect, test } from 'vitest'
import { type Play, play } from '../testing/play.ts'
import { noCapacity } from '../testing/service/rules.ts'
import { capacityBackoff } from './capacity-backoff.ts'

test('capacity-backoff is served in the end, and says what was wrong with the refusals', async () => {
  const right = await capacity(429, undefined)
  expect(right).toMatchObject({ broken: [], held: expect.arrayContaining(['capacity-wrong-status']) })
  expect(right.tally.counts('creates').get('after-back-off')).toBe(1)
  expect((await capacity(503, undefined)).broken).toEqual(['capacity-wrong-status'])
  expect((await capacity(429, '5')).broken).toEqual(['capacity-retry-after'])
})

test.each([
  ['served again at once', 1],
  ['short of capacity half of the time', 2],
])('a key that stays refused for capacity is found by a platform that is %s', async (_, nth) => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { broken } = await capacity(429, undefined, seed, (rules) => {
      rules.capacity = (count) => (count === 1 || count % nth === 1 ? noCapacity : undefined)
      rules.remembers = (outcome, code) => outcome === 'made' || code === 30008
    })
    expect(broken).toEqual(['capacity-key-stuck'])
  }
})

test('a key that was served after a refusal for capacity, and makes another session when it comes again, is found', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { broken } = await capacity(429, undefined, seed, (rules) => {
      rules.capacity = (count) => (count <= 2 ? noCapacity : undefined)
      rules.remembers = (outcome, _code, tries) => outcome === 'made' && tries < 2
    })
    expect(broken).toContain('duplicate-after-success')
  }
})

test.each([0.5, 0.7, 0.9, 1])('a platform that refuses %s of all creates has no key stuck', async (part) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { broken } = await capacity(429, undefined, seed, (rules, random) => {
      rules.capacity = () => (random() < part ? noCapacity : undefined)
    })
    expect({ seed, broken }).toEqual({ seed, broken: [] })
  }
})

test('a create that is called wrong is told as that, and not sent again in other words: each iteration has but one', async () => {
  const { tally } = await capacity(429, undefined, 1, (rules) => {
    rules.capacity = (count) => (count === 1 ? { code: 30004, status: 400, retryAfter: undefined } : undefined)
  })
  expect([...tally.counts('creates')].filter(([, times]) => times > 0)).toEqual([['called-wrong', 1]])
})

test('a session that ended by itself may leave its key to another one', async () => {
  const { broken, service } = await capacity(429, undefined, 1, (rules) => {
    rules.keysEndWithSession = true
    rules.lifetimeMs = () => 1
  })
  expect(service.sessions.size).toBe(2)
  expect(broken).toEqual([])
})

test.each([
  ['is taken back a second later', 1_000, []],
  ['stays', undefined, ['duplicate-after-success', 'duplicate-after-429']],
] as const)('what a refusal for want of capacity made and %s breaks %s', async (_, lastsMs, laws) => {
  const { broken } = await capacity(429, undefined, 1, (rules) => {
    let [refusals, made] = [0, 0]
    rules.capacity = () => undefined
    rules.capRefusal = noCapacity
    rules.capActsAnyway = true
    rules.admits = () => {
      refusals += 1
      return refusals > 1
    }
    rules.lifetimeMs = () => {
      made += 1
      return made === 1 ? lastsMs : undefined
    }
  })
  expect(broken).toEqual(laws)
})

test('where others may hold all places, unlisted as they close, a create that finds none breaks nothing', async () => {
  const { broken, tally } = await capacity(429, undefined, 1, (rules) => {
    rules.capacity = () => undefined
    rules.cap = 0
  })
  expect(tally.counts('creates').get('full')).toBe(1)
  expect(broken).toEqual([])
})

/** The first creates are refused for want of capacity, unless it is said otherwise. */
function capacity(status: number, retryAfter: string | undefined, seed = 1, seedRules?: Play['seedRules']) {
  return play(capacityBackoff, {
    seed,
    keys: [{ name: 'primary', requests_per_minute: 60_000, concurrent_sessions: undefined }],
    seedRules: (rules, random) => {
      rules.perMinute = () => 60_000
      rules.capacity = (count) => (count <= 4 ? { code: 30008, status, retryAfter } : undefined)
      seedRules?.(rules, random)
    },
  })
}
