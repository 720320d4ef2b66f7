import { performance } from 'node:perf_hooks'
import type { TraceWriter } from '#trace/writer'

/** How often it is looked whether this process still gets time, in milliseconds. */
const glance_ms = 200
/** A busy machine is late by less; what is longer is a process that was stopped, or a machine that hung. */
const least_ms = 500

/**
 * Notes when this process stood still: its deadlines run on meanwhile, so that whoever judges the trace must know that nobody
 * listened then.
 *
 * @returns ends it
 */
export function noteHalts(writer: Pick<TraceWriter, 'write'>): () => void {
  let last = performance.now()
  const timer = setInterval(() => {
    const late = performance.now() - last - glance_ms
    last = performance.now()
    if (late >= least_ms) note(writer, late)
  }, glance_ms)
  timer.unref()
  return () => clearInterval(timer)
}

function note(writer: Pick<TraceWriter, 'write'>, ms: number): void {
  try {
    writer.write({ kind: 'halt', ms: Math.round(ms) })
  } catch {
    // A trace that cannot be written any more says so to whoever sends next.
  }
}
