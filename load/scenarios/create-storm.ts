import { judgeCalledWrong, judgeDuplicates, judgeRefusedCreates, judgeStuck } from '../core/limits/duplicate-oracle.ts'
import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { judgeRefusals } from '../core/limits/refusal-oracle.ts'
import type { Workload } from '../workloads.ts'
import { Storm } from './limits/storm.ts'
import { onKey } from './limits/rest-machine.ts'
import { closeStrays } from './limits/strays.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

/** More clients than this share one user's machine badly. */
const CLIENTS = 300

/** How long it may go on, and how long it may take to close what it made: with a target that is slow, or gone. */
const STORM_MS = 180_000
const CLEANUP_MS = 45_000

const about = [
  'duplicate-after-success',
  'duplicate-in-flight',
  'duplicate-after-429',
  'duplicate-after-5xx',
  'duplicate-after-timeout',
] as const

/** Retries creates through 429, 5xx and time-outs, each with its own idempotency key: one key, one session. */
export const createStorm: Scenario<LawCount, never> = {
  name: 'create-storm',
  about: 'Many creates at once, retried with their idempotency keys whatever comes: no key may end in two sessions.',
  measures: () => ({ counts: lawCounts, times: [] }),
  judges_times: false,
  price: (workload) => ({ requests: 6 * clientsOf(workload) + 190, sessions: clientsOf(workload) }),
  arrival: {
    kind: 'together',
    why: 'what a retry made beside the session that it told of is found in the list of all sessions, once all are closed',
    users: () => 1,
    iterations: () => 1,
    iteration_ms: STORM_MS + CLEANUP_MS + 15_000,
  },
  exceeds: ['sessions'],
  alone: 'it fills the workspace',
  lasts:
    'Half a minute to a minute and a half, and four minutes at most: each refused create comes back until it is served.',
  iterate,
  judge: (tally) => judgeLaws(tally, about, 'no create was repeated and answered: nothing is known of duplicates'),
}

async function iterate(machine: Machine<LawCount>): Promise<void> {
  const key = machine.keys.find(({ name }) => name === 'capped') ?? machine.key
  const storm = new Storm(onKey(machine, key), clientsOf(machine.workload))
  const { workspace } = storm
  workspace.ends.within(STORM_MS)
  try {
    await storm.run()
  } finally {
    workspace.ends.within(CLEANUP_MS)
    await workspace.cleanUp()
  }
  const strays = await closeStrays(workspace)
  countRulings(machine.tally, [
    ...judgeDuplicates(workspace.tries, { closedAt: workspace.closedAt, strays }),
    ...judgeRefusedCreates(workspace.tries, strays),
    ...judgeCalledWrong(workspace.tries),
    ...judgeRefusals(workspace.refusals),
    ...judgeStuck(storm.stuck),
    ...storm.rulings,
  ])
}

const clientsOf = ({ users }: Workload): number => Math.min(CLIENTS, 4 * users)
