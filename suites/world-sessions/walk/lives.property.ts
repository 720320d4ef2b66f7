import { drawPlans } from '#arbitraries/plan'
import { pickKey } from '#scenario/author/pick-key'
import type { Context } from '#scenario/author/context'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { takeWalks } from '#scenario/author/walk'
import { longTours, optionsOf, pairs, propertyIds, type Roster, shortPairs, tour as everyDeed } from '../model/moves.ts'
import { type Refuse, refuseDrawn } from './refuse.property.ts'
import { Variants } from './variants.ts'
import { Walker, walkRows } from './walker.property.ts'

/** Random walks are so long: shorter ones miss what needs a few things to come together. */
const steps = 40

interface Walks {
  /** What the first ones begin with. */
  readonly tours: readonly (readonly string[])[]
  readonly plans: number
  /** Requests for tour and plan of one walk. */
  readonly budget: number
  /** Where mistakes are made as well. */
  readonly refuse?: Refuse
}

/** By the key that has most to spare: world sessions take no place under the cap of its workspace (section 8). */
async function walk(
  c: Context<(typeof walkRows)[number]>,
  { tours, plans: count, budget, refuse }: Walks,
): Promise<void> {
  const key = pickKey(c, 'capped', 'other_workspace')
  const seed = c.random(2 ** 31)
  const walks = {
    name: 'world sessions',
    pairs: refuse === undefined ? shortPairs : pairs,
    options: (roster: Roster) => optionsOf(roster, refuse !== undefined),
  }
  const variants = new Variants(c)
  for (const [place, plan] of drawPlans(seed, count, steps).entries()) {
    const walker = () => new Walker(c, { key, seed: seed + place, most: budget, refuse, variants })
    await takeWalks(c, { ...walks, walker }, { tour: tours[place] ?? [], plans: [plan], budget }, [])
  }
}

const needs = { abilities: ['world_sessions'] } as const

/** What the shortest walk shows, or would show if it were wrong. */
const seen = [
  'world-sessions.create.minimal-accepted',
  'world-sessions.idempotency.concurrent-one-session',
  'world-sessions.client-secret.accepted',
  'world-sessions.client-secret.after-close-rejected',
  'world-sessions.client-secret.control-secret-fresh-again',
  'world-sessions.client-secret.media-secret-fresh-again',
  'world-sessions.close.accepted',
  'world-sessions.close.leaves-active',
  'world-sessions.close.never-active-again',
] as const

const [shortId, longId] = propertyIds

/** A tour, a short random walk, and a drain: sessions, their keys and their secrets, whatever the order, and at once. */
export const livesProperty = scenario({
  id: shortId,
  needs,
  price: { requests: { capped: 32 }, typical: 21 },
  claims: walkRows,
  observes: seen,
  drive: (c) => walk(c, { tours: [everyDeed], plans: 1, budget: 20 }),
})

export const livesPropertyLong = scenario({
  id: longId,
  tier: 'full',
  replaces: [shortId],
  needs,
  price: { requests: { capped: 170 }, typical: 103, waits: 5 },
  steps: [refuseDrawn],
  claims: walkRows,
  observes: [
    ...seen,
    'world-sessions.get.own-session-found',
    'world-sessions.close.leaves-others-open',
    'world-sessions.close.reaches-closed',
    'world-sessions.client-secret.leaves-session',
    'world-sessions.idempotency.other-key-other-session',
    'world-sessions.idempotency.without-key-new-session',
    'world-sessions.idempotency.after-timeout-one-session',
  ],
  async drive(c) {
    const refuse: Refuse = (body, { key, exchange }) =>
      refuseDrawn(c, body, { key, control: exchange, seed: c.random(2 ** 31) })
    await walk(c, { tours: longTours, plans: longTours.length, budget: 20, refuse })
  },
})

export const lives: readonly Scenario[] = [livesProperty, livesPropertyLong]
