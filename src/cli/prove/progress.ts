import type { Shell } from '../shell.ts'

/** To be called whenever one more has ended. */
export type Progress = () => void

/** Tells how many have ended, at which pace, and what is left: a line that moves on a terminal, plain lines elsewhere. */
export function progress(total: number, shell: Shell): Progress {
  const began = performance.now()
  let [ended, shown] = [0, 0]
  return () => {
    ended += 1
    const seconds = (performance.now() - began) / 1_000
    if (shell.columns === undefined && ended < total && seconds - shown < 10) return
    shown = seconds
    const left = Math.round((seconds / ended) * (total - ended))
    const line = `${ended} of ${total} targets, ${(ended / seconds).toFixed(1)} a second, ${left} s left`
    shell.err(shell.columns === undefined ? `${line}\n` : `\r\u001b[K${line}${ended === total ? '\n' : ''}`)
  }
}
