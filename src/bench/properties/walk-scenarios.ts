import type { Scenario } from '#scenario/author/scenario'
import type { Defect } from '#target/deviation'
import { refuseDrawn as refuseCharacter } from '../../../suites/characters/walk/refuse.property.ts'
import { refuseDrawn as refuseWorld } from '../../../suites/world-sessions/walk/refuse.property.ts'

/** Walks are told from other scenarios by their ids. */
const named = /(?:-walk|-property)(?:-long)?$/

/** Scenarios that go through states at random, short ones first. */
export function walksAmong(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter(({ id }) => named.test(id)).toSorted((one, other) => priceOf(one) - priceOf(other))
}

/** REST requests that it sends at most. */
export function priceOf({ price }: Scenario): number {
  return Object.values(price.requests).reduce((sum, count) => sum + count, 0)
}

/** A defect, and the walks that may show it. */
export interface StatefulDefect {
  readonly defect: Defect
  readonly walks: readonly Scenario[]
}

/**
 * Rows of one faulty request, which walks draw at random along their way: whatever was done before, its answer is the same.
 */
const stateless: ReadonlySet<string> = new Set([...refuseCharacter.claims, ...refuseWorld.claims])

/** A defect counts as stateful where it breaks a row that a walk makes happen, and that rests on what was done before. */
export function statefulAmong(defects: readonly Defect[], walks: readonly Scenario[]): readonly StatefulDefect[] {
  return defects.flatMap((defect) => {
    if (stateless.has(defect.requirement)) return []
    const own = walks.filter(({ proves }) => proves.some((row) => row === defect.requirement))
    return own.length === 0 ? [] : [{ defect, walks: own }]
  })
}

/** As many of these as a budget of REST requests allows, in their order. */
export function within(walks: readonly Scenario[], budget: number): readonly Scenario[] {
  let left = budget
  return walks.filter((walk) => {
    const fits = priceOf(walk) <= left
    if (fits) left -= priceOf(walk)
    return fits
  })
}
