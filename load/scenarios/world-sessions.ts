import { countRulings, judgeLaws, lawCounts, type LawCount } from '../core/limits/law-measures.ts'
import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import { calledWrong, countFare, deniedBesides, workspacesWithout } from '../core/fared.ts'
import { type Finding, type Findings, lostFor, some } from '../core/findings.ts'
import { OTHER, type Tally } from '../core/tally.ts'
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
    counts: {
      ...lawCounts,
      // `unserved`: their creates were answered by a 5xx, with all retries.
      worlds: [
        'active',
        'failed',
        'ended',
        'ended-beside',
        'not-active',
        'refused',
        'unserved',
        'called-wrong',
        'denied',
        OTHER,
      ],
    },
    // From the create to `active`, and from the close to `closed`, as Get Session showed it.
    times: ['world_active_ms', 'world_closed_ms', 'world_secret_ms'],
  }),
  judges_times: false,
  price: () => ({ requests: 17, sessions: 0 }),
  arrival: { kind: 'rate' },
  needs: 'world_sessions',
  exceeds: [],
  iterate,
  judge,
}

/**
 * Of sessions that were over or never ready nobody knows why (3.2); where they are many, that says nothing of the load, and is
 * told. A workspace may offer none: where another one does, what was tried there is judged, and the rest is told.
 */
function judge(tally: Tally<WorldCount | CommonCount, WorldTime | CommonTime>): Findings {
  const fates = tally.counts('worlds')
  const [alone, beside] = [fates.get('ended') ?? 0, fates.get('ended-beside') ?? 0]
  const [ended, failed, late] = [alone + beside, fates.get('failed') ?? 0, fates.get('not-active') ?? 0]
  const made = ended + failed + late + (fates.get('active') ?? 0)
  const without = workspacesWithout(tally)
  const unoffered = without.reduce((sum, { refused }) => sum + refused, 0)
  const refused = (fates.get('refused') ?? 0) + deniedBesides(tally)
  const laws = judgeLaws(tally, about, 'no world session came to be, so there was nothing to judge')
  return {
    ...laws,
    broken: [...laws.broken, ...closedTogether(beside, alone)],
    trouble: calledWrong(tally, 'world sessions'),
    invalid: [
      ...laws.invalid,
      ...(made === 0
        ? some(
            unoffered,
            'world sessions were refused as wrong or denied, and none was taken: if the target offers none, say so in the profile ("abilities": { "world_sessions": false })',
          )
        : []),
      ...lostFor(refused, made + refused, 'world sessions were refused'),
      ...lostFor(ended, made, 'world sessions were over before they were closed'),
      ...lostFor(failed + late, made, 'world sessions failed, or were not active after 20 seconds'),
    ],
    notes:
      made === 0
        ? []
        : without.map(({ workspace, refused: count }) => ({
            text: `not applicable to the workspace of the key ${workspace}: it takes no world session (${count} were refused as wrong or denied), while another one does`,
          })),
  }
}

/** Sessions that end by themselves do so at any time, and hardly ever just when another one was closed. */
const TOGETHER = { least: 2, times: 3 } as const

function closedTogether(beside: number, alone: number): Finding[] {
  if (beside < TOGETHER.least || beside <= TOGETHER.times * alone) return []
  return some(
    beside,
    'world sessions were over as soon as another one was closed',
    'world-sessions.close.leaves-others-open',
  )
}

async function iterate(machine: Machine<WorldCount, WorldTime>): Promise<void> {
  const { tally } = machine
  const visit = new WorldVisit(machine, {
    active: (ms) => tally.time('world_active_ms').record(ms),
    closed: (ms) => tally.time('world_closed_ms').record(ms),
    secret: (ms) => tally.time('world_secret_ms').record(ms),
  })
  const fate = await visit.run()
  tally.count('worlds', fate)
  if (fate === 'called-wrong') countFare(tally, machine.key, 'wrong')
  else if (fate === 'denied') countFare(tally, machine.key, 'denied')
  else if (fate !== 'refused' && fate !== 'unserved') countFare(tally, machine.key, 'taken')
  countRulings(tally, visit.rulings)
}
