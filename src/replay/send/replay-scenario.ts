import type { AnyContext } from '#scenario/author/context'
import { type Scenario, scenario } from '#scenario/author/scenario'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Entry } from '#trace/entry'
import { type Length, type Replay, stepsOf } from '../replay-file.ts'
import { Player } from './player.ts'
import type { PlayTools } from './recording.ts'

/** A scenario that sends a failure again. @param id of the scenario */
export function replayScenario(id: string, replay: Replay, length: Length, tools: PlayTools): Scenario {
  const steps = stepsOf(replay, length)
  const evidence = new Set(replay.evidence.flatMap((place) => replay.steps[place] ?? []))
  return scenario({
    id,
    observes: [replay.requirement as RequirementId],
    tier: 'smoke',
    price: { requests: requestsByKey(steps), waits: Math.ceil(waitsIn(steps) / 1000) },
    drive: (context) => new Player(context as AnyContext, { ...replay, steps, evidence }, tools).play(),
  })
}

/** What is made has to be ended again. */
function requestsByKey(steps: readonly Entry[]): { readonly [name in KeyName]?: number } {
  const counts: { [key: string]: number } = {}
  for (const entry of steps) {
    if (entry.kind !== 'request' || entry.attempt > 1) continue
    const key = entry.key === 'none' || entry.key === 'malformed' ? 'primary' : entry.key
    const ends = /^(?:create|clone|upload)-/.test(entry.operation ?? '') ? 1 : 0
    counts[key] = (counts[key] ?? 0) + 1 + ends
  }
  return counts
}

function waitsIn(steps: readonly Entry[]): number {
  return steps.reduce((sum, entry) => (entry.kind === 'wait' ? sum + entry.ms : sum), 0)
}
