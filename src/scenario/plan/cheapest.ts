import type { Profile } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Scenario } from '../author/scenario.ts'
import type { Finds } from './finds.ts'
import { rowOf, waysToFind } from './known.ts'
import { outlayOf, priceOf } from './outlay.ts'
import type { Selection } from './selection.ts'

/** REST requests that a run for a single row may take. */
const enough = 12

/**
 * Where all scenarios that show something of a single row are more than a look at one row should cost: those that together
 * show each mistake that is known of it, and of the others what may be had for the rest. Where no mistake of the row is
 * known, or none of the scenarios is known to show one of them, nothing changes.
 */
export function cheapestFor(row: RequirementId, selection: Selection, finds: Finds, profile: Profile): Selection {
  const { selected, left_out = {} } = selection
  const costOf = (chosen: readonly Scenario[]) => outlayOf(chosen, left_out, profile).requests
  if (costOf(selected) <= enough) return selection
  const ways = waysToFind(finds, selected, profile)
  const mistakes = Object.keys(finds.mistakes).filter((mistake) => rowOf(mistake) === row)
  if (mistakes.length === 0 || mistakes.some((mistake) => !ways.has(mistake))) return selection
  const open = new Map(mistakes.map((mistake) => [mistake, new Set(ways.get(mistake)?.map((way) => way.scenario))]))
  const chosen = new Set<Scenario>()
  const price = (one: Scenario) => Math.max(1, priceOf(one, left_out, profile).requests)
  const worth = (one: Scenario) => [...open.values()].filter((by) => by.has(one)).length / price(one)
  while (open.size > 0) {
    const [best] = selected.toSorted((one, other) => worth(other) - worth(one) || price(one) - price(other))
    if (best === undefined) break
    chosen.add(best)
    for (const [mistake, by] of open) if (by.has(best)) open.delete(mistake)
  }
  for (const one of selected.toSorted((left, right) => price(left) - price(right))) {
    if (costOf([...chosen.union(new Set([one]))]) <= enough) chosen.add(one)
  }
  const others = selected.filter((one) => !chosen.has(one)).map((scenario) => ({ scenario, why: 'only' }) as const)
  return {
    ...selection,
    selected: selected.filter((one) => chosen.has(one)),
    skipped: [...selection.skipped, ...others],
  }
}
