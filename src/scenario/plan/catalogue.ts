import { loadFromParts } from './parts.ts'
import type { Scenario } from '../author/scenario.ts'

/**
 * All scenarios of all parts, in the order of the parts' names.
 *
 * @param suites URL of the folder that holds a folder a part
 * @throws when two scenarios have the same id, or a part's file does not load.
 */
export async function loadScenarios(suites?: string): Promise<readonly Scenario[]> {
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
