import { setTimeout as sleep } from 'node:timers/promises'
import { loadRules } from '#scenario/plan/load-rules'
import { prepare, shapesReceived } from '#spec/validators'
import type { TraceSoFar } from '#trace/growing/so-far'
import { Parts, practise } from './practice.ts'

/** A run that is over by then needs the processors for itself, in milliseconds. */
const first = 3_000
/** Between two shapes, two parts of the trace, and two moments of practice, an embedded target answers, in milliseconds. */
const pause = 25
/** Once all is read that was written by then. */
const longPause = 500
/** So much of the trace is read at once, a few milliseconds of work; a line that is longer is read whole. */
const bytesAtOnce = 1 << 16

/**
 * Loads while a run lasts what will judge it, reads what is to be judged, and judges parts of it for practice: then whoever
 * waits for the verdicts does not wait for that. Who judges tells of what does not load, and of lines that cannot be read.
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
    const rules = await loadRules()
    const rest = (ms: number) => sleep(ms, undefined, { signal: over })
    await rest(first)
    for (const shape of shapesReceived()) {
      prepare(shape)
      await rest(pause)
    }
    const parts = new Parts()
    for (;;) {
      const part = written.readSome(bytesAtOnce) ? [] : parts.next(written.soFar)
      await rest(part === undefined ? longPause : pause)
      if (part !== undefined) await practise(part, rules, () => untilIdle(() => rest(pause)))
    }
  } catch {
    // The run is over, or a part does not load.
  }
}

/** Rests again while a rest takes far longer than it is to: then the processors are wanted for something else than practice. */
async function untilIdle(rest: () => Promise<void>): Promise<void> {
  for (let late = true; late; ) {
    const began = performance.now()
    await rest()
    late = performance.now() - began > 2 * pause
  }
}
