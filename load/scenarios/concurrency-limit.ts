import type { RestAnswer } from '../core/envelope.ts'
import { judgeCap } from '../core/limits/concurrency-oracle.ts'
import { judgeDuplicates, judgeRefusedCreates } from '../core/limits/duplicate-oracle.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { judgeOneOperation } from '../core/limits/one-operation.ts'
import { MINUTE_MS, type RateRequest } from '../core/limits/rate-log.ts'
import { judgeRefusals } from '../core/limits/refusal-oracle.ts'
import { OTHER } from '../core/tally.ts'
import { CapRound } from './limits/cap-round.ts'
import { paced } from './limits/paced.ts'
import { onKey } from './limits/rest-machine.ts'
import { closeStrays } from './limits/strays.ts'
import { useChannels, visitChannels } from './limits/use-channels.ts'
import { GRACE_MS } from './limits/workspace.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type CapCount = LawCount | 'cap_found'
export type CapTime = 'place_freed_ms'

/** Caps up to this are found; beyond it a workspace is not filled. */
const CEILING = 60

const about = ['cap-exceeded', 'cap-overrun', 'place-not-freed', 'refused-create-holds-place'] as const

/** Fills a workspace until it refuses, and looks at what is refused there, what a close gives back, and how soon. */
export const concurrencyLimit: Scenario<CapCount, CapTime> = {
  name: 'concurrency-limit',
  about: 'Finds the cap on open sessions, and holds it against creates sent at once, closes and refusals.',
  measures: () => ({
    counts: {
      ...lawCounts,
      // How often which cap was found.
      cap_found: [...Array.from({ length: CEILING }, (_, cap) => String(cap + 1)), 'none', OTHER],
    },
    // From the answer to a close until the create that got the place was sent.
    times: ['place_freed_ms'],
  }),
  judges_times: false,
  price: () => ({ requests: 130, sessions: CEILING }),
  arrival: {
    kind: 'together',
    why: 'its creates have to be in flight at the same time, and one judge has to see all of them',
    users: () => 1,
    iterations: () => 1,
    iteration_ms: 600_000,
  },
  exceeds: ['sessions'],
  alone: 'it fills the workspace',
  lasts: 'Half a minute to two, whatever the workload: one of its sessions has to end by itself.',
  iterate,
  judge: (tally) =>
    judgeLaws(
      tally,
      about,
      `nothing is known of the cap: none was found up to ${CEILING} sessions (name a key "capped" with fewer), its key has too few requests a minute to get there in time, others used the workspace, or the service ended sessions by itself, as it may (3.1)`,
    ),
}

async function iterate(machine: Machine<CapCount, CapTime>): Promise<void> {
  const key = machine.keys.find(({ name }) => name === 'capped') ?? machine.key
  const requests: RateRequest[] = []
  const heard = (name: string, answer: RestAnswer, operation: string): void => {
    if (name === key.name) requests.push({ key: name, answer, operation })
  }
  const round = new CapRound(paced(onKey(machine, key, heard)), CEILING, {
    visit: (sessions) => visitChannels(machine, sessions),
    use: (sessions) => useChannels(machine, sessions),
  })
  const { workspace } = round
  try {
    await round.run()
  } finally {
    await workspace.cleanUp()
  }
  const strays = await closeStrays(workspace)
  const { log } = round
  const { found, rulings } = judgeCap(log, { declared: key.concurrent_sessions, graceMs: GRACE_MS })
  machine.tally.count('cap_found', found === undefined ? 'none' : String(found))
  for (const ms of round.freedMs) machine.tally.time('place_freed_ms').record(ms)
  countRulings(machine.tally, [
    ...rulings,
    ...judgeRefusals(workspace.refusals),
    ...judgeOneOperation(requests, { limit: key.requests_per_minute, minuteMs: key.minute_ms ?? MINUTE_MS }),
    ...round.rulings,
    ...judgeDuplicates(workspace.tries, { closedAt: workspace.closedAt, strays }),
    ...judgeRefusedCreates(workspace.tries, strays),
  ])
}
