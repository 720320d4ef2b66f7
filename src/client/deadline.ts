/** Time is counted in such pieces, in milliseconds: one that took longer was a standstill of this process, of which no more counts. */
const piece_ms = 500

/**
 * Calls back once so many milliseconds have gone by in which this process could have heard something, and what lies in its
 * sockets by then was read: while it stood still, no time of the target's went by.
 *
 * @returns calls it off
 */
export function startDeadline(ms: number, over: () => void): () => void {
  let left = ms
  let timer = setTimeout(step, Math.min(left, piece_ms))
  let isOff = false

  function step(): void {
    left -= Math.min(left, piece_ms)
    if (left > 0) timer = setTimeout(step, Math.min(left, piece_ms))
    else setImmediate(() => setImmediate(end))
  }

  function end(): void {
    if (!isOff) over()
  }

  return () => {
    isOff = true
    clearTimeout(timer)
  }
}
