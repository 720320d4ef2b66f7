import { loadFromParts } from './parts.ts'
import type { Scenario } from '../author/scenario.ts'

/**
 * All scenarios of all parts, in the order of the parts' names, but for those that do no more than several others.
 *
 * @param suites URL of the folder that holds a folder a part
 * @throws when two scenarios have the same id, or a part's file does not load.
 */
export async function loadScenarios(suites?: string): Promise<readonly Scenario[]> {
  return (await loadWithJoint(suites)).filter(({ joins }) => joins === undefined)
}

/** The same with those that do in one what several others do: a run that may spend little chooses among all. */
export async function loadWithJoint(suites?: string): Promise<readonly Scenario[]> {
  return unique(await loadFromParts<Scenario>('scenarios', suites))
}

function unique(scenarios: readonly Scenario[]): readonly Scenario[] {
  const ids = new Set<string>()
  for (const { id } of scenarios) {
    if (ids.has(id)) throw new Error(`two scenarios are called ${id}`)
    ids.add(id)
  }
  return scenarios
}
