import { capacityBackoff } from './capacity-backoff.ts'
import { charactersPaging } from './characters-paging.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import { controlThroughput } from './control-throughput.ts'
import { createStorm } from './create-storm.ts'
import { rateLimit } from './rate-limit.ts'
import { interruptStorm } from './interrupt-storm.ts'
import { reconnectStorm } from './reconnect-storm.ts'
import { soak } from './soak.ts'
import type { Scenario } from './scenario.ts'
import { uploads } from './uploads.ts'
import { worldSessions } from './world-sessions.ts'

const all: readonly Scenario[] = [
  controlThroughput,
  interruptStorm,
  reconnectStorm,
  soak,
  concurrencyLimit,
  rateLimit,
  createStorm,
  capacityBackoff,
  uploads,
  charactersPaging,
  worldSessions,
]

/** All there are, by name. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(all.map((scenario) => [scenario.name, scenario]))

/** @throws Error when there is none of this name, or one that may not be mixed */
export function mixOf(weights: { readonly [scenario: string]: number }): Scenario[] {
  return Object.entries(weights).map(([name, weight]) => {
    const scenario = scenarios.get(name)
    if (scenario === undefined)
      throw new Error(`there is no scenario ${name}: there are ${[...scenarios.keys()].join(', ')}`)
    if (!(weight > 0)) throw new Error(`the weight of ${name} is not above 0`)
    if (scenario.alone !== undefined) throw new Error(`${name} runs alone: ${scenario.alone}`)
    return scenario
  })
}
