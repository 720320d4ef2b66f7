import { drawPlans } from '#arbitraries/plan'
import { pickKey } from '#scenario/author/pick-key'
import type { Context } from '#scenario/author/context'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { takeWalks } from '#scenario/author/walk'
import { needsCharacters } from '../acts.ts'
import {
  longTours,
  optionsOf,
  pairs,
  pairsWithoutRefusals,
  propertyIds,
  type Roster,
  tour as everyDeed,
} from '../model/moves.ts'
import { Bodies } from './bodies.ts'
import { type Refuse, refuseDrawn } from './refuse.property.ts'
import { takeTours, tourRows } from './tours.ts'
import { Walker } from './walker.property.ts'

/** Random walks are so long: shorter ones miss what needs a few things to come together. */
const steps = 40

interface Walks {
  /** What each begins with. */
  readonly tours: readonly (readonly string[])[]
  /** Requests for tour and plan of one walk. */
  readonly budget: number
  /** Where mistakes are made as well. */
  readonly refuse?: Refuse
}

async function walk(c: Context, { tours, budget, refuse }: Walks): Promise<void> {
  const key = pickKey(c, 'other_workspace')
  const seed = c.random(2 ** 31)
  const walks = {
    name: 'characters',
    pairs: refuse === undefined ? pairsWithoutRefusals : pairs,
    options: (roster: Roster) => optionsOf(roster, refuse !== undefined),
  }
  for (const [count, plan] of drawPlans(seed, tours.length, steps).entries()) {
    const walker = () => new Walker(c, { key, bodies: new Bodies(c, seed + count, budget), refuse })
    await takeWalks(c, { ...walks, walker }, { tour: tours[count] ?? [], plans: [plan], budget }, [])
  }
}

/** What the shortest walk shows, or would show if it were wrong. */
const seen = [
  'characters.create.text-chat-accepted',
  'characters.get.own-character-found',
  'characters.replace.accepted',
  'characters.replace.stored',
  'characters.delete.accepted',
  'characters.deleted.get-rejected',
  'characters.deleted.replace-rejected',
  'characters.deleted.replace-revives-nothing',
  'characters.deleted.starts-no-session',
  'characters.list.hides-deleted',
  'characters.session.retry-same-session',
  'characters.session.concurrent-one-session',
] as const

const [shortId, longId] = propertyIds

/** A tour, a short random walk, and a drain: what a service does with characters, whatever the order, and at once. */
export const livesProperty = scenario({
  id: shortId,
  needs: needsCharacters,
  price: { requests: { other_workspace: 30 }, typical: 21, sessions: { other_workspace: 1 } },
  observes: seen,
  drive: (c) => walk(c, { tours: [everyDeed], budget: 20 }),
})

export const livesPropertyLong = scenario({
  id: longId,
  tier: 'full',
  replaces: [shortId],
  needs: needsCharacters,
  price: { requests: { other_workspace: 210 }, typical: 139, sessions: { other_workspace: 1 } },
  steps: [refuseDrawn],
  claims: tourRows,
  observes: [
    ...seen,
    'characters.deleted.delete-rejected',
    'characters.replace.refused-changes-nothing',
    'characters.create.refused-leaves-no-character',
    'characters.delete.leaves-others',
    'characters.replace.leaves-others',
    'characters.session.without-key-new-session',
    'characters.configuration.tts-echoed',
  ],
  async drive(c) {
    const refuse: Refuse = (does, faulty, ground) => refuseDrawn(c, faulty, { ...ground, does })
    await takeTours(c, pickKey(c, 'other_workspace'), refuse)
    // More plans found nothing more.
    await walk(c, { tours: [everyDeed, ...longTours], budget: 12, refuse })
  },
})

export const lives: readonly Scenario[] = [livesProperty, livesPropertyLong]
