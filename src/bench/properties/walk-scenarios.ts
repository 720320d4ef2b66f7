import type { Scenario } from '#scenario/author/scenario'
import type { Defect } from '#target/deviation'
import { leftOut, modelsOf, statefulModels } from './stateful-rows.ts'

/** Walks are told from other scenarios by their ids; a key and its limit have one way to go, so that theirs is a tour. */
const walkId = /(?:-walk|-property)(?:-long)?$|^limits\.rate-limit$/

/** Scenarios that go through states at random, short ones first. */
export function walksAmong(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter(({ id }) => walkId.test(id)).toSorted((one, other) => priceOf(one) - priceOf(other))
}

/** REST requests that it sends at most. */
export function priceOf({ price }: Scenario): number {
  return Object.values(price.requests).reduce((sum, count) => sum + count, 0)
}

/** A defect, the model that holds its rule, and the walks that may show it. */
export interface StatefulDefect {
  readonly defect: Defect
  readonly model: string
  readonly walks: readonly Scenario[]
}

/** Defects of the rules that the models hold, whether a walk makes them happen or not. */
export function statefulAmong(defects: readonly Defect[], walks: readonly Scenario[]): readonly StatefulDefect[] {
  return defects.flatMap((defect) => {
    const models = modelsOf(defect.requirement)
    const [first] = models
    const named = new Set(models.flatMap((model) => model.walks))
    return first === undefined ? [] : [{ defect, model: first.name, walks: walks.filter(({ id }) => named.has(id)) }]
  })
}

/** How many defects of the same subjects do not count, by the reason. */
export function leftOutAmong(defects: readonly Defect[]): ReadonlyMap<string, number> {
  const subjects = new Set(statefulModels.flatMap(({ holds }) => Object.keys(holds)))
  const counts = new Map<string, number>()
  for (const { requirement } of defects) {
    if (!subjects.has(requirement.slice(0, requirement.lastIndexOf('.')))) continue
    if (modelsOf(requirement).length > 0) continue
    const why = leftOut.find(({ rows }) => rows.test(requirement))?.why
    if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
  }
  return counts
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
