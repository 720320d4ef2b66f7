import { setTimeout as sleep } from 'node:timers/promises'
import { loadRules } from '#scenario/plan/load-rules'
import { prepare, shapesReceived } from '#spec/validators'
import type { TraceSoFar } from '#trace/so-far'

/** A run that is over by then needs the processors for itself, in milliseconds. */
const first = 3_000
/** Between two shapes, and two parts of the trace, an embedded target answers, in milliseconds. */
const pause = 25
/** Once all is read that was written by then. */
const longPause = 500
/** So much of the trace is read at once: a few milliseconds. */
const bytesAtOnce = 1 << 16

/**
 * Loads while a run lasts what will judge it, and reads what is to be judged: then whoever waits for the verdicts does not
 * wait for that. Never rejects: who judges tells of what does not load, and of lines that cannot be read.
 *
 * @param written the trace of the run
 * @param over ends it, once the run is over
 */
export async function getReadyToJudge(written: TraceSoFar, over: AbortSignal): Promise<void> {
  try {
    await loadRules()
    await sleep(first, undefined, { signal: over })
    for (const shape of shapesReceived()) {
      prepare(shape)
      await sleep(pause, undefined, { signal: over })
    }
    for (;;) await sleep(written.readSome(bytesAtOnce) ? pause : longPause, undefined, { signal: over })
  } catch {
    // The run is over, or a part does not load.
  }
}
