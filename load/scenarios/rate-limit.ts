import { judgeDuplicates, judgeRefusedCreates } from '../core/limits/duplicate-oracle.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { judgeOtherKey, judgeRate, judgeUnlimited } from '../core/limits/rate-oracle.ts'
import { MINUTE_MS, type RateRequest, type RateTerms } from '../core/limits/rate-log.ts'
import type { Key } from '../core/keys.ts'
import { goOn } from './limits/go-on.ts'
import { RateRounds } from './limits/rate-round.ts'
import { onKey } from './limits/rest-machine.ts'
import { closeStrays } from './limits/strays.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type RateTime = 'announced_wait_ms' | 'recovered_ms'

/** A limit beyond this is not crossed: it would take more requests than such a test is worth. */
const HIGHEST = 1_200

/** After so many minutes of rounds it does not go on: what is known by then is judged. */
const LATEST_MINUTES = 15

const about = ['rate-never-refused', 'rate-refused-early', 'retry-after-untruthful', 'retry-after-missing'] as const

/** Crosses the limit of a key, twice, with a silence between in which every reading of a minute is over. */
export const rateLimit: Scenario<LawCount, RateTime> = {
  name: 'rate-limit',
  about: 'Crosses the request limit of a key, and holds 10008, its Retry-After and what follows against the interface.',
  measures: () => ({ counts: lawCounts, times: ['announced_wait_ms', 'recovered_ms'] }),
  judges_times: true,
  price: () => ({ requests: 5 * HIGHEST, sessions: 1 }),
  arrival: {
    kind: 'together',
    why: 'one judge has to see every request that the key sends',
    users: () => 1,
    iterations: () => 1,
    // Whoever holds nothing of what it announces is waited for again and again.
    iteration_ms: 1_140_000,
  },
  exceeds: ['requests'],
  alone: 'it exhausts the key',
  lasts:
    'Four to six minutes, and up to nineteen: two minutes of silence lie between its rounds, so that every reading of "a minute" is over.',
  iterate,
  judge: (tally) =>
    judgeLaws(
      tally,
      about,
      `nothing is known of the limit: the key was not refused, or its limit is above ${HIGHEST} a minute, which is not crossed (name a key "rate_limited" with a lower one)`,
    ),
}

async function iterate(machine: Machine<LawCount, RateTime>): Promise<void> {
  const key = machine.keys.find(({ name }) => name === 'rate_limited') ?? machine.key
  if (key.requests_per_minute > HIGHEST) return
  const terms = termsOf(key)
  const rounds = new RateRounds(machine, key, terms)
  const { workspace } = rounds
  const lastMinute: RateRequest[] = []
  const began = machine.now()
  try {
    await rounds.run()
    if (machine.now() - began < LATEST_MINUTES * terms.minuteMs)
      lastMinute.push(...(await goOn(onKey(machine, key), rounds.log, terms)))
  } finally {
    await workspace.cleanUp()
  }
  const strays = await closeStrays(workspace)
  for (const ms of rounds.announcedMs) machine.tally.time('announced_wait_ms').record(ms)
  for (const ms of rounds.recoveredMs) machine.tally.time('recovered_ms').record(ms)
  countRulings(machine.tally, [
    ...judgeRate(rounds.log, terms),
    ...judgeOtherKey(rounds.beside, rounds.otherLog, terms),
    ...rounds.rulings,
    ...judgeUnlimited(lastMinute, terms),
    ...judgeDuplicates(workspace.tries, { closedAt: workspace.closedAt, strays }),
    ...judgeRefusedCreates(workspace.tries, strays, 'rate-refused-create-made-session'),
  ])
}

const termsOf = ({ requests_per_minute: limit, minute_ms: minuteMs = MINUTE_MS }: Key): RateTerms => ({
  limit,
  minuteMs,
})
