import type { Scenario } from '#scenario/author/scenario'
import type { WalkRun } from './walk-run.ts'
import { type StatefulDefect, within } from './walk-scenarios.ts'

/** REST requests that a run may send, how many runs there are of each, and the seed of the first. */
export interface Series {
  readonly budget: number
  readonly seeds: number
  readonly first: number
}

export const seedsOf = ({ seeds, first }: Series): readonly number[] =>
  Array.from({ length: seeds }, (_, nth) => first + nth)

/** Each stateful defect beside the walks of its model, as far as the budget goes. */
export function defectRuns(stateful: readonly StatefulDefect[], series: Series): readonly WalkRun[] {
  return stateful.flatMap(({ defect: { id, requirement }, model, walks }) =>
    seedsOf(series).map((seed) => ({
      id,
      seed,
      defect: id,
      requirement,
      model,
      ...runOf(within(walks, series.budget)),
    })),
  )
}

/** Each variation beside all walks that the budget allows. */
export function variationRuns(ids: readonly string[], walks: readonly Scenario[], series: Series): readonly WalkRun[] {
  const chosen = runOf(within(walks, series.budget))
  return ids.flatMap((id) => seedsOf(series).map((seed) => ({ id, seed, variation: id, ...chosen })))
}

export function runOf(walks: readonly Scenario[]): Pick<WalkRun, 'tier' | 'only'> {
  const tier = walks.some((walk) => walk.tier === 'full') ? 'full' : 'standard'
  return { tier, only: walks.map(({ id }) => id) }
}
