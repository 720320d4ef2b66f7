import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import { OTHER } from '../core/tally.ts'
import { WorldVisit } from './limits/world-visit.ts'
import type { Machine } from './machine.ts'
import type { Scenario } from './scenario.ts'

export type WorldCount = LawCount | 'worlds'
export type WorldTime = 'world_active_ms' | 'world_closed_ms' | 'world_secret_ms'

const about = ['world-duplicate', 'world-secret-shown', 'world-not-closed'] as const

/** World sessions from their create to their close. */
export const worldSessions: Scenario<WorldCount, WorldTime> = {
  name: 'world-sessions',
  about: 'Creates world sessions, waits until they are active, takes fresh secrets, and closes them.',
  measures: () => ({
    counts: { ...lawCounts, worlds: ['active', 'failed', 'not-active', 'refused', OTHER] },
    // From the create to `active`, and from the close to `closed`, as Get Session showed it.
    times: ['world_active_ms', 'world_closed_ms', 'world_secret_ms'],
  }),
  price: () => ({ requests: 11, sessions: 0 }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate,
  judge: (tally) => judgeLaws(tally, about, 'no world session came to be, so there was nothing to judge'),
}

async function iterate(machine: Machine<WorldCount, WorldTime>): Promise<void> {
  const { tally } = machine
  const visit = new WorldVisit(machine, {
    active: (ms) => tally.time('world_active_ms').record(ms),
    closed: (ms) => tally.time('world_closed_ms').record(ms),
    secret: (ms) => tally.time('world_secret_ms').record(ms),
  })
  tally.count('worlds', await visit.run())
  countRulings(tally, visit.rulings)
}
