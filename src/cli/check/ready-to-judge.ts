import { setTimeout as sleep } from 'node:timers/promises'
import { loadRules } from '#scenario/plan/load-rules'
import { prepare, shapesReceived } from '#spec/validators'

/** A run that is over by then needs the processors for itself, in milliseconds. */
const first = 3_000
/** Between two shapes an embedded target answers, in milliseconds. */
const pause = 25

/**
 * Loads while a run lasts what will judge it: then whoever waits for the verdicts does not wait for that. Never rejects: who
 * judges tells of what does not load.
 *
 * @param over ends it, once the run is over
 */
export async function getReadyToJudge(over: AbortSignal): Promise<void> {
  try {
    await loadRules()
    await sleep(first, undefined, { signal: over })
    for (const shape of shapesReceived()) {
      prepare(shape)
      await sleep(pause, undefined, { signal: over })
    }
  } catch {
    // The run is over, or a part does not load.
  }
}
