import type { Profile } from '#spec/profile'
import { isRequirementId, requirement, type RequirementId } from '#spec/register'
import type { Scenario } from '../author/scenario.ts'
import type { Finds } from './finds.ts'
import { isMeant } from './is-meant.ts'
import { rowOf, waysToFind } from './known.ts'
import { outlayOf } from './outlay.ts'
import type { Selection, Skipped } from './selection.ts'
import { unshownRows, wholeWhereUnshown } from './unshown.ts'

/** A selection from which a run for single rows leaves out what it does not need. */
export interface Spared extends Selection {
  /** What shows no mistake of these rows that the others don't. */
  readonly spared: readonly Scenario[]
}

interface Asked {
  readonly only: readonly string[]
  readonly finds: Finds
  readonly profile: Profile
}

type Some = ReadonlySet<Scenario>

/**
 * Of what a run for single rows would drive, the cheapest that shows each mistake that is known of these rows, and that
 * claims them where any does. A row of which no mistake is known, or one that no scenario shows alone, keeps all that
 * shows something of it, and who asks for a scenario or a part gets the whole.
 */
export function cheapest(all: Selection, { only, finds, profile }: Asked): Spared {
  const unshown = unshownRows(only, finds)
  const selection = wholeWhereUnshown(all, unshown)
  const { selected, skipped, left_out = {} } = selection
  const rows = new Set(only.filter(isRequirementId))
  const asked = Object.entries(finds.mistakes).filter(([mistake]) => rows.has(rowOf(mistake) as RequirementId))
  const ways = [...waysToFind({ ...finds, mistakes: Object.fromEntries(asked) }, selected, profile)]
  const known = new Set(ways.map(([mistake]) => rowOf(mistake)))
  const unspared = only.filter((name) => !known.has(name) || unshown.has(name) || isSeenOften(name))
  const kept = new Set(selected.filter((one) => unspared.some((name) => isMeant(one, name))))
  const showing = ways.map(([, by]): Some => new Set(by.map(({ scenario }) => scenario)))
  const claiming = [...rows].map((row): Some => new Set(selected.filter((one) => claimsIt(one, row))))
  const costOf = (some: Some): number => outlayOf([...some], left_out, profile).requests
  const enough = cheapestOf(kept, hardest([...showing, ...claiming.filter(({ size }) => size > 0)]), costOf)
  const spared = selected.filter((one) => !enough.has(one))
  // None of the rows that were asked for is lost by it: the others show them.
  const without = spared.map((scenario): Skipped => ({ scenario, why: 'only', rows: othersOf(scenario, rows) }))
  return {
    ...selection,
    selected: selected.filter((one) => enough.has(one)),
    skipped: [...without, ...skipped],
    spared,
  }
}

/** What has to be seen more than once may be seen once by each scenario. */
function isSeenOften(name: string): boolean {
  return isRequirementId(name) && (requirement(name).at_least ?? 1) > 1
}

function claimsIt({ proves, claims = proves }: Scenario, row: RequirementId): boolean {
  return claims.includes(row)
}

function othersOf({ proves }: Scenario, rows: ReadonlySet<RequirementId>): readonly RequirementId[] {
  return proves.filter((row) => !rows.has(row))
}

/** Whoever shows what fewer scenarios show, shows what these and others show. */
function hardest(showing: readonly Some[]): readonly Some[] {
  const found: Some[] = []
  for (const by of showing.toSorted((one, other) => one.size - other.size)) {
    if (!found.some((harder) => harder.isSubsetOf(by))) found.push(by)
  }
  return found
}

/** The cheapest set that holds these, and one of each of those; of several the first that is found. */
function cheapestOf(kept: Some, open: readonly Some[], costOf: (some: Some) => number): Some {
  let best: Some | undefined
  let least = Infinity
  const grow = (taken: Some): void => {
    const cost = costOf(taken)
    if (cost >= least) return
    const next = open.find((by) => by.isDisjointFrom(taken))
    if (next === undefined) [best, least] = [taken, cost]
    else for (const one of [...next].toSorted(byCost)) grow(taken.union(new Set([one])))
  }
  const byCost = (one: Scenario, other: Scenario): number => costOf(new Set([one])) - costOf(new Set([other]))
  grow(kept)
  return best ?? kept
}
