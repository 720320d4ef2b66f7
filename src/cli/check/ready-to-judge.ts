import { setTimeout as sleep } from 'node:timers/promises'
import { loadRules } from '#scenario/plan/load-rules'
import { prepare, shapesReceived } from '#spec/validators'
import type { TraceSoFar } from '#trace/growing/so-far'

/** A run that is over by then needs the processors for itself, in milliseconds. */
const first = 3_000
/** Between two shapes, and two parts of the trace, an embedded target answers, in milliseconds. */
const pause = 25
/** Once all is read that was written by then. */
const longPause = 500
/** So much of the trace is read at once, a few milliseconds of work; a line that is longer is read whole. */
const bytesAtOnce = 1 << 16

/**
 * Loads while a run lasts what will judge it, and reads what is to be judged: then whoever waits for the verdicts does not
 * wait for that. Who judges tells of what does not load, and of lines that cannot be read.
 *
 * @param written the trace of the run
 * @returns what the run comes to, also where it fails
 */
export async function whileGettingReady<T>(written: TraceSoFar, run: Promise<T>): Promise<T> {
  const over = new AbortController()
  const ready = getReady(written, over.signal)
  try {
    return await run
  } finally {
    over.abort()
    await ready
  }
}

/** Ends with the run at the latest; never rejects. */
async function getReady(written: TraceSoFar, over: AbortSignal): Promise<void> {
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
