import type { Key } from '../../../load/core/keys.ts'
import { laws } from '../../../load/core/limits/laws.ts'
import { capacityBackoff } from '../../../load/scenarios/capacity-backoff.ts'
import { charactersPaging } from '../../../load/scenarios/characters-paging.ts'
import { concurrencyLimit } from '../../../load/scenarios/concurrency-limit.ts'
import { controlThroughput } from '../../../load/scenarios/control-throughput.ts'
import { createStorm } from '../../../load/scenarios/create-storm.ts'
import { rateLimit } from '../../../load/scenarios/rate-limit.ts'
import { reconnectStorm } from '../../../load/scenarios/reconnect-storm.ts'
import type { Scenario } from '../../../load/scenarios/scenario.ts'
import { soak } from '../../../load/scenarios/soak.ts'
import { uploads } from '../../../load/scenarios/uploads.ts'
import { capCountingMistakes } from '../../../load/testing/service/cap-counting-mistakes.ts'
import { capMistakes } from '../../../load/testing/service/cap-mistakes.ts'
import { correctKinds } from '../../../load/testing/service/correct.ts'
import { fixedWindow, slidingWindow, tokenBucket } from '../../../load/testing/service/limiters.ts'
import type { Mistake } from '../../../load/testing/service/mistake.ts'
import { rateBanMistakes } from '../../../load/testing/service/rate-ban-mistakes.ts'
import { rateMistakes } from '../../../load/testing/service/rate-mistakes.ts'
import { ratePaceMistakes } from '../../../load/testing/service/rate-pace-mistakes.ts'
import type { Override } from '#target/behaviour/behaviour'
import type { Workload } from '../../../load/workloads.ts'
import type { ServiceRules } from '../../../load/testing/service/rules.ts'
import { nowAndThen } from './now-and-then.ts'
import { rareChannelMistakes } from './rare-channel-mistakes.ts'
import { legalAlternatives, referenceDefects } from './reference-mistakes.ts'
import { pageKinds, pagingMistakes, uploadMistakes } from './resource-mistakes.ts'
import { capacityKinds, capacityMistakes, soakMistakes } from './session-mistakes.ts'
import { stormMistakes } from '../../../load/testing/service/storm-mistakes.ts'

/** A target that k6 meets, and what a run has to say of it. */
export interface Case {
  readonly name: string
  readonly scenario: Scenario
  readonly target:
    | { readonly kind: 'limiter'; seed(rules: ServiceRules, random: () => number, round: number): void }
    | {
        readonly kind: 'reference'
        readonly defects: readonly string[]
        readonly variations?: readonly string[]
        readonly override?: () => Override
      }
  readonly keys: (round: number) => readonly Omit<Key, 'minute_ms'>[]
  /** Numbers of the workload that are not those of `smoke`. */
  readonly scale?: Partial<Workload>
  /** Requirements of which at least one has to be named; none where nothing may be found. */
  readonly expected: readonly string[]
}

/** A minute of the limiter's: with a real one, runs would take five. Shorter ones are over before a busy machine has told three lies apart. */
export const MINUTE_MS = 12_000

const LIMIT = 24

/** Caps differ from round to round. */
const capIn = (round: number): number => 1 + (round % 5)

const capKeys: Case['keys'] = (round) =>
  ['primary', 'same_workspace'].map((name) => ({
    name,
    requests_per_minute: 6_000,
    concurrent_sessions: capIn(round),
  }))

const rateKeys: Case['keys'] = () => [
  { name: 'rate_limited', requests_per_minute: LIMIT, concurrent_sessions: undefined },
  { name: 'primary', requests_per_minute: 6_000, concurrent_sessions: undefined },
]

const stormKeys: Case['keys'] = () => [{ name: 'primary', requests_per_minute: 60_000, concurrent_sessions: undefined }]

const roomyKeys: Case['keys'] = () => [{ name: 'primary', requests_per_minute: 60_000, concurrent_sessions: 100 }]

const roomy = (rules: ServiceRules): void => {
  rules.perMinute = () => 60_000
}

interface Series {
  readonly scenario: Scenario
  readonly keys: Case['keys']
  readonly mistakes: { readonly [name: string]: Mistake }
  readonly prepare: (rules: ServiceRules, round: number) => void
}

const series: readonly Series[] = [
  {
    scenario: concurrencyLimit,
    keys: capKeys,
    mistakes: { ...capMistakes, ...capCountingMistakes },
    prepare: (rules, round) => {
      roomy(rules)
      rules.cap = capIn(round)
    },
  },
  {
    scenario: rateLimit,
    keys: rateKeys,
    mistakes: { ...rateMistakes, ...rateBanMistakes, ...ratePaceMistakes },
    prepare: (rules) => {
      rules.perMinute = (key) => (key === 'rate_limited' ? LIMIT : 6_000)
    },
  },
  {
    scenario: createStorm,
    keys: stormKeys,
    mistakes: stormMistakes,
    prepare: (rules, round) => {
      roomy(rules)
      rules.cap = 8 + (round % 8)
    },
  },
]

const limiterMistakes: readonly Case[] = series.flatMap(({ scenario, keys, mistakes, prepare }) =>
  Object.entries(mistakes).map(
    ([name, mistake]): Case => ({
      name,
      scenario,
      keys,
      target: {
        kind: 'limiter',
        seed: (rules, _random, round) => {
          prepare(rules, round)
          mistake.seed(rules)
        },
      },
      expected: mistake.laws.flatMap((law): readonly string[] => laws[law].requirements),
    }),
  ),
)

/** The six kinds of correct targets that every scenario has to leave alone. */
const correct = {
  'fixed window': (rules) => void (rules.limiter = fixedWindow),
  'sliding window': (rules) => void (rules.limiter = slidingWindow),
  'token bucket': (rules) => void (rules.limiter = tokenBucket),
  slow: (rules) => {
    rules.travelMs = (random) => 50 + random() * 300
    rules.allocationMs = 400
    rules.cleanupMs = 1_500
  },
  'lagging List': correctKinds['lagging List'],
  'restarting once': (rules, random) => {
    const from = Date.now() + random() * 4_000
    rules.outage = (now) => (now >= from && now < from + 2_000 ? (now % 2 < 1 ? 'reset' : 'page') : undefined)
  },
} as const satisfies { readonly [kind: string]: (rules: ServiceRules, random: () => number) => void }

const correctCases: readonly Case[] = series.flatMap(({ scenario, keys, prepare }) =>
  Object.entries(correct).map(
    ([kind, seed]): Case => ({
      name: `correct: ${kind}`,
      scenario,
      keys,
      target: {
        kind: 'limiter',
        seed: (rules, random, round) => {
          prepare(rules, round)
          seed(rules, random)
        },
      },
      expected: [],
    }),
  ),
)

/** Conversations that are held at the same time: what one session hears of another shows only then. */
const side: Partial<Workload> = {
  start_rate: 6,
  stages: [{ seconds: 2, rate: 6 }],
  users: 12,
  turns: 4,
  turn_interval_ms: 300,
  characters: 600,
}

/** Sessions that last: the next one, a second later, is there while one is still spoken to. */
const lasting: Partial<Workload> = { turn_interval_ms: 1_000 }

/** Creates that come while others are carried out. */
const crowd: Partial<Workload> = { start_rate: 6, stages: [{ seconds: 3, rate: 6 }], users: 18 }

/** Several walk over the pages at the same time, and often enough to meet what goes wrong in one of three walks. */
const shelves: Partial<Workload> = { start_rate: 6, stages: [{ seconds: 5, rate: 6 }], users: 30 }

/** Scenarios that need several sessions at the same time. */
const inCompany: readonly Scenario[] = [controlThroughput, reconnectStorm]

/** What never ends has no end, whoever interrupted it; and what was rejected in one round begins in the next. */
const nearby: { readonly [requirement: string]: string } = {
  'control-channel.scheduling.interrupted-gets-done': 'control-channel.response-done.always',
  'control-channel.scheduling.pending-second-never-starts': 'control-channel.scheduling.pending-runs-once',
}

const referenceCases: readonly Case[] = referenceDefects.flatMap(([scenario, key, defects]) =>
  defects.map((defect): Case => {
    const requirement = defect.split('~')[0] ?? defect
    const cap = key === 'capped' ? 2 : 100
    return {
      name: `reference: ${defect}`,
      scenario,
      keys: () => [{ name: key, requests_per_minute: 60_000, concurrent_sessions: cap }],
      target: { kind: 'reference', defects: [defect] },
      ...(inCompany.includes(scenario) ? { scale: side } : {}),
      expected: [requirement, ...alsoToldBy(requirement)],
    }
  }),
)

const nowAndThenCases: readonly Case[] = Object.entries({ ...nowAndThen, ...rareChannelMistakes }).map(
  ([name, override]) => ({
    name: `reference: ${name}`,
    scenario: controlThroughput,
    keys: roomyKeys,
    target: { kind: 'reference', defects: [], override },
    scale: side,
    expected: [],
  }),
)

/** With the scale that mistakes need in order to show. */
const resources: readonly (readonly [Scenario, { readonly [name: string]: () => Override }, Partial<Workload>?])[] = [
  [uploads, uploadMistakes],
  [charactersPaging, pagingMistakes, shelves],
  [soak, soakMistakes, lasting],
  [capacityBackoff, capacityMistakes],
]

const resourceCases: readonly Case[] = resources.flatMap(([scenario, mistakes, scale]) =>
  Object.entries(mistakes).map(
    ([name, override]): Case => ({
      name: `reference: ${name}`,
      scenario,
      keys: roomyKeys,
      target: { kind: 'reference', defects: [], override },
      ...(scale === undefined ? {} : { scale }),
      expected: [],
    }),
  ),
)

const correctCapacity: readonly Case[] = Object.entries(capacityKinds).map(([kind, { lacks, variations: taken }]) => ({
  name: `correct: capacity lacks ${kind}`,
  scenario: capacityBackoff,
  keys: roomyKeys,
  target: { kind: 'reference', defects: [], variations: taken, override: lacks },
  scale: crowd,
  expected: [],
}))

/** Lists that many walk over at once, and whose tokens do not hold for good. */
const correctPages: readonly Case[] = pageKinds.map((variations) => ({
  name: `correct: reference ${variations.join(' ')}`,
  scenario: charactersPaging,
  keys: roomyKeys,
  target: { kind: 'reference', defects: [], variations },
  scale: shelves,
  expected: [],
}))

/** Rows that one mistake breaks together: which of them is named depends on what was tried first. */
function alsoToldBy(requirement: string): readonly string[] {
  const near = nearby[requirement]
  if (near !== undefined) return [near]
  return Object.values(laws).flatMap(({ requirements }): readonly string[] => {
    const all: readonly string[] = requirements
    return all.includes(requirement) ? all : []
  })
}

const correctReference: readonly Case[] = referenceDefects.flatMap(([scenario, key]) =>
  legalAlternatives.map(
    (taken): Case => ({
      name: `correct: reference ${taken.join(' ')}`.trim(),
      scenario,
      keys: () => [{ name: key, requests_per_minute: 60_000, concurrent_sessions: key === 'capped' ? 2 : 100 }],
      target: { kind: 'reference', defects: [], variations: taken },
      ...(inCompany.includes(scenario) ? { scale: side } : {}),
      expected: [],
    }),
  ),
)

export const cases: readonly Case[] = [
  ...limiterMistakes,
  ...referenceCases,
  ...nowAndThenCases,
  ...resourceCases,
  ...correctCases,
  ...correctReference,
  ...correctCapacity,
  ...correctPages,
]
