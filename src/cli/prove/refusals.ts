import { driveTarget } from '#scenario/run/drive'
import { createSimulatedTime } from '#scenario/run/simulated-clock'
import type { Scenario } from '#scenario/author/scenario'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { noteRefusals } from '#target/validations'
import type { Entry } from '#trace/entry'

/** Validations of the reference target by what a run makes of them. */
export interface Refusals {
  /** Those that are the only one that some request or event breaks, with the scenarios that send such. */
  readonly alone: ReadonlyMap<string, readonly string[]>
  /** Those that are only ever broken together with others. */
  readonly beside: ReadonlySet<string>
}

/** Drives the reference target once, with everything, and looks why it refuses what it refuses. */
export async function refusalsOf(scenarios: readonly Scenario[], seed: number): Promise<Refusals> {
  const notes: (readonly string[])[] = []
  const simulatedTime = createSimulatedTime()
  const target = await startTarget({
    tls: false,
    seed,
    clock: () => Date.now() + simulatedTime.skippedMs(),
    override: (behaviour) => noteRefusals(behaviour, (broken) => `[refusal ${notes.push(broken) - 1}]`),
  })
  try {
    const { trace } = await driveTarget({
      profile: profileOf(target),
      environment: environmentOf(target),
      tier: 'standard',
      only: [],
      seed,
      scenarios,
      simulatedTime,
    })
    return sorted(notes, trace.entries)
  } finally {
    await target.stop()
  }
}

/** The answers tell in which scenario each was refused. */
function sorted(notes: readonly (readonly string[])[], entries: readonly Entry[]): Refusals {
  const alone = new Map<string, string[]>()
  const together = new Set<string>()
  for (const entry of entries) {
    if (entry.kind !== 'response' && entry.kind !== 'frame-received') continue
    const { scenario } = entry
    const number = /\[refusal (\d+)\]/.exec(JSON.stringify(entry))?.[1]
    const broken = number === undefined ? undefined : notes[Number(number)]
    if (scenario === undefined || broken === undefined) continue
    const [only, ...others] = broken
    if (only === undefined) continue
    if (others.length > 0) for (const one of broken) together.add(one)
    else if (alone.get(only)?.includes(scenario) !== true) alone.set(only, [...(alone.get(only) ?? []), scenario])
  }
  return { alone, beside: together.difference(new Set(alone.keys())) }
}
