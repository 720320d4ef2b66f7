import type { driveTarget } from '#scenario/run/drive'
import { createSimulatedTime } from '#scenario/run/simulated-clock'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'

/** What a run needs to drive a target in this process. */
export type Driven = Required<Pick<Parameters<typeof driveTarget>[0], 'profile' | 'environment' | 'simulatedTime'>>

interface Deviations {
  readonly seed: number
  readonly defects?: readonly string[] | undefined
  readonly variations?: readonly string[] | undefined
}

/** Starts a reference target without TLS, in time that it and a run skip together. Who starts it stops it. */
export async function startSimulatedTarget({
  seed,
  defects = [],
  variations = [],
}: Deviations): Promise<{ readonly target: RunningTarget; readonly driven: Driven }> {
  const simulatedTime = createSimulatedTime()
  const target = await startTarget({
    tls: false,
    seed,
    defects: [...defects],
    variations: [...variations],
    rateClock: () => Date.now() + simulatedTime.skippedMs(),
  })
  return { target, driven: { profile: profileOf(target), environment: environmentOf(target), simulatedTime } }
}
