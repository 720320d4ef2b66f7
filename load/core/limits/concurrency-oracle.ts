import { broken, held, type Law, type Ruling } from './laws.ts'
import { type Circumstance, type Most, mostSurelyOpen, type PlaceLog, possiblyHeld, type Refused } from './places.ts'

export interface CapTerms {
  /** What the profile declares; undefined where nobody knows. */
  readonly declared: number | undefined
  /** How long after a session is closed its place may still be taken. */
  readonly graceMs: number
}

export interface CapJudgement {
  /** The cap, as far as it was found: where as many were open as a create that came alone was refused at. */
  readonly found: number | undefined
  readonly rulings: readonly Ruling[]
}

/** A settled refusal that says something about the cap, and how many places may have been taken at it. */
interface Bound extends Refused {
  readonly taken: number
}

/**
 * The cap is found, not configured. Whatever surely was open at once is a lower bound of it, and whatever may have held a
 * place at a refusal is an upper one, as long as nobody else is in the workspace. A correct target never contradicts
 * itself, however slow it is; where the bounds contradict each other, either more were let in than there are places, or a
 * place was free and not given. Which of them is told by what was done before the refusal.
 */
export function judgeCap(log: PlaceLog, { declared, graceMs }: CapTerms): CapJudgement {
  const most = mostSurelyOpen(log.opened)
  const bounds = log.refused
    .filter(({ alone }) => alone)
    .map((one): Bound => ({ ...one, taken: possiblyHeld(log, one, graceMs) }))
  const rulings = [
    ...judgeDeclared(most, bounds, declared),
    ...judgeSecondKey(log, bounds),
    ...judgeClimbs(most, bounds),
    ...judgePlaces(most, bounds, log.given),
  ]
  const climbs = bounds.filter(({ circumstance }) => circumstance === 'climb')
  const found = climbs.length === 0 ? undefined : Math.min(...climbs.map(({ taken }) => taken))
  return { found: found === most.count ? found : undefined, rulings }
}

function judgeDeclared(most: Most, bounds: readonly Bound[], declared: number | undefined): Ruling[] {
  if (declared === undefined) return []
  if (most.count > declared) return [broken('cap-exceeded', `${most.count} sessions open, declared are ${declared}`)]
  const climbs = bounds.filter(({ circumstance }) => circumstance === 'climb')
  const few = climbs.filter(({ taken }) => taken < declared)
  // Once may be a session that somebody left behind.
  const rulings = climbs.length > 0 && most.count === declared ? [held('cap-exceeded')] : []
  if (few.length < 2 || few.length < climbs.length) return rulings
  return [...rulings, broken('cap-below-declared', `${few[0]?.taken} sessions found a place, declared are ${declared}`)]
}

/** A session of a second key that got in beside a workspace that the first had filled. */
function judgeSecondKey({ opened }: PlaceLog, bounds: readonly Bound[]): Ruling[] {
  const climb = bounds.find(({ circumstance }) => circumstance === 'climb')
  if (climb === undefined) return []
  const others = opened.filter(({ key }) => key !== climb.key)
  const most = mostSurelyOpen(opened)
  const ownMost = mostSurelyOpen(opened.filter(({ key }) => key === climb.key))
  if (others.length > 0 && most.count > climb.taken && ownMost.count <= climb.taken)
    return [broken('cap-not-shared', `${climb.taken} places for one key, ${most.count} for two of its workspace`)]
  return bounds.some(({ circumstance }) => circumstance === 'second-key') ? [held('cap-not-shared')] : []
}

/** More at once than a climb found room for, and a climb after it found just as much: others would not have left as much twice. */
function judgeClimbs({ count, at }: Most, bounds: readonly Bound[]): Ruling[] {
  const law: Law = 'cap-overrun'
  const climbs = bounds.filter(({ circumstance, key }) => circumstance === 'climb' && key === bounds[0]?.key)
  const before = climbs.filter((one) => one.answeredAt < at)
  const after = climbs.filter((one) => one.sentAt > at)
  const most = Math.max(0, ...climbs.map(({ taken }) => taken))
  if (before.length === 0) return []
  if (count <= most) return [held(law)]
  if (!after.some(({ taken }) => taken === most) || !before.some(({ taken }) => taken === most)) return []
  return [broken(law, `${count} sessions open at once, ${most} found room one by one before and after`)]
}

const causes = {
  'after-close': 'place-not-freed',
  'after-refusals': 'refused-create-holds-place',
  'after-repeats': 'place-not-freed',
  'after-given-up': 'place-not-freed',
  'for-second-key': 'cap-not-shared',
} as const satisfies Partial<Record<Circumstance, Law>>

/** A refusal at which fewer places may have been taken than there are, as shown before it and not only after it. */
function judgePlaces(most: Most, bounds: readonly Bound[], given: PlaceLog['given']): Ruling[] {
  const climbs = bounds.filter(({ circumstance }) => circumstance === 'climb')
  // What more were let in at once than one by one is a matter of its own.
  const places = Math.min(most.count, Math.max(0, ...climbs.map(({ taken }) => taken)))
  const lost = bounds.filter(({ taken }) => taken < places)
  return Object.entries(causes).flatMap(([circumstance, law]) => {
    const [one] = lost.filter((bound) => bound.circumstance === circumstance)
    if (one !== undefined) return [broken(law, `refused with ${one.taken} places taken of ${places}`)]
    return given.some((where) => where === circumstance) ? [held(law)] : []
  })
}
