import type { Scenario } from '../scenarios/scenario.ts'
import { outsideOf } from './outside.ts'
import { userOf } from './user.ts'
import type { Load } from './load.ts'

/**
 * k6 runs the script anew for each virtual user, and once more, as number 0, for a user that runs nothing: it tells what to
 * run, and concludes. Neither needs what the other does, and every function costs every user most of a kilobyte; so a
 * bundle (`src/load/k6/bundle.ts`) holds each side apart.
 *
 * Only in the init context. @param scenarios one, or those of a mix
 */
export function prepare(scenarios: readonly Scenario[]): Load {
  return __VU === 0 ? outsideOf(scenarios) : userOf(scenarios)
}
