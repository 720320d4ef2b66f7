import { drawPlans } from '#arbitraries/plan'
import type { Context } from '#scenario/author/context'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { takeWalk } from '#scenario/author/walk'
import type { KeyName } from '#spec/profile'
import {
  advance,
  type Move,
  optionsOf,
  pairs,
  propertyIds,
  type Roster,
  shortPairs,
  tour as everyDeed,
} from '../model/moves.ts'
import { sessionsOfCharacter } from './of-character.property.ts'
import { Walker } from './walk.property.ts'

/** Random walks of a full run are so long: shorter ones miss what needs a few things to come together. */
const manySteps = 40
/** What the requests of a standard run are enough for: beyond it a walk could only connect again and again. */
const fewSteps = 14

/** Sessions that a walk holds open at once, where the workspace has room. */
const most = 3

interface Walks {
  readonly tour: readonly string[]
  readonly plans: number
  readonly steps: number
  /** A long walk does what takes a while, too. */
  readonly long: boolean
  /** Requests for tour and plan of one walk. */
  readonly budget: number
  /** Pairs of idempotency keys that shorter walks have. */
  readonly pairs: number
}

/**
 * Walks by a key that few others use: alone, so that whatever fills the workspace is its own.
 *
 * @returns how many sessions there is room for; none where what was closed does not end
 */
async function walk(c: Context, { tour, plans, steps, long, budget, pairs: earlier }: Walks): Promise<number> {
  const key = keyOf(c)
  let room = most
  for (const [count, plan] of drawPlans(c.random(2 ** 31), plans, steps).entries()) {
    const walker = new Walker(c, key, earlier + count)
    const perform = async (move: Move, roster: Roster) => advance(roster, move, await walker.make(move))
    const course = { tour: count === 0 ? tour : [], plan, budget }
    const options = (roster: Roster) => optionsOf(roster, long)
    const way = { name: 'avatar sessions', pairs: long ? pairs : shortPairs, options, perform }
    const end = await takeWalk(c, way, course, { threads: [], room })
    room = end.room
    if (!(await walker.drain())) return 0
  }
  return room
}

const keyOf = (c: Context): KeyName => (c.has('same_workspace') ? 'same_workspace' : 'primary')

/** What the shortest walk shows, or would show if it were wrong. */
const seen = [
  'avatar-sessions.get.own-session-found',
  'avatar-sessions.get.open-session-not-closed',
  'avatar-sessions.status.in-set-on-get',
  'avatar-sessions.list.accepted',
  'avatar-sessions.list.shows-open-sessions',
  'avatar-sessions.list.hides-closed-sessions',
  'avatar-sessions.close.accepted',
  'avatar-sessions.close.leaves-active',
  'avatar-sessions.close.reaches-closed',
  'avatar-sessions.close.closed-shown-by-get',
  'avatar-sessions.close.never-active-again',
  'avatar-sessions.close.closed-is-final',
  'avatar-sessions.close.leaves-others-open',
  'avatar-sessions.idempotency.retry-same-session',
  'avatar-sessions.idempotency.retry-shows-same',
  'avatar-sessions.idempotency.other-key-other-session',
  'avatar-sessions.idempotency.concurrent-one-session',
  'avatar-sessions.session.id-unique',
  'control-channel.secret.valid-while-open',
  'control-channel.secret.reconnect-admitted',
  'control-channel.secret.refused-after-closed',
] as const

const seenInTime = [
  ...seen,
  'avatar-sessions.get.unknown-session-rejected',
  'avatar-sessions.close.unknown-session-rejected',
] as const

/** What a tour of a standard run is too short for. */
const rareDeeds = [
  'create-after-invalid',
  'repeat',
  'repeat',
  'create-at-once',
  'repeat',
  'create',
  'repeat',
  'close',
  'close-again',
  // A copy that is behind has caught up by then.
  'repeat-late',
  'get-closed',
] as const

const [shortId, longId] = propertyIds

/** A tour, a short random walk, and a drain: what a service does with sessions and keys, whatever the order. */
export const sessionLifeProperty = scenario({
  id: shortId,
  price: { requests: { same_workspace: 48 }, typical: 34, sessions: { primary: 1 } },
  runs: 'alone',
  observes: seen,
  async drive(c) {
    await walk(c, { tour: everyDeed, plans: 1, steps: fewSteps, long: false, budget: 26, pairs: 0 })
  },
})

export const sessionLifePropertyLong = scenario({
  id: longId,
  tier: 'full',
  replaces: [shortId],
  price: { requests: { same_workspace: 120 }, typical: 82, sessions: { primary: 1 } },
  runs: 'alone',
  observes: seenInTime,
  async drive(c) {
    const room = await walk(c, { tour: rareDeeds, plans: 2, steps: manySteps, long: true, budget: 17, pairs: 1 })
    if (room > 0 && c.offers('characters')) await sessionsOfCharacter(c, keyOf(c), room)
  },
})

export const sessionLives: readonly Scenario[] = [sessionLifeProperty, sessionLifePropertyLong]
