import type { driveTarget } from '#scenario/run/drive'
import { createSimulatedTime } from '#scenario/run/simulated-clock'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'

/** What a run needs to drive a target in this process. */
export type Driven = Required<Pick<Parameters<typeof driveTarget>[0], 'profile' | 'environment' | 'simulatedTime'>>

interface Deviations {
  readonly seed?: number
  readonly defects?: readonly string[] | undefined
  readonly variations?: readonly string[] | undefined
}

/** Has something done with a reference target without TLS in this process, in time that it and a run skip together. */
export async function onSimulatedTarget<T>(
  { seed = 1, defects = [], variations = [] }: Deviations,
  action: (driven: Driven, target: RunningTarget) => Promise<T>,
): Promise<T> {
  const simulatedTime = createSimulatedTime()
  const target = await startTarget({
    tls: false,
    seed,
    defects: [...defects],
    variations: [...variations],
    clock: () => Date.now() + simulatedTime.skippedMs(),
  })
  try {
    return await action({ profile: profileOf(target), environment: environmentOf(target), simulatedTime }, target)
  } finally {
    await target.stop()
  }
}
