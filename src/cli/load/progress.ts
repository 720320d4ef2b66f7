import type { LiveFigures } from '#load/results/timeline'
import type { Progress } from '../watch/progress.ts'
import type { Shell } from '../shell.ts'

/** How far a run is. */
export interface LoadState extends LiveFigures {
  /** Things that were made and not ended yet: sessions, for the most part. */
  readonly open: number
  /** Whether it may be over much sooner. */
  readonly at_most: boolean
  readonly seconds_left: number
}

const redrawMs = 500
const plainLineMs = 10_000

/**
 * Shows how a load run goes on standard error: one line that changes on a terminal, a line now and then elsewhere.
 *
 * @param look undefined as long as k6 starts
 */
export function showLoad(shell: Shell, title: string, look: () => LoadState | undefined): Progress {
  const redraw = (): void => {
    const line = loadLine(title, look())
    const { columns } = shell
    if (columns === undefined) shell.err(`${line}\n`)
    else shell.err(`\r\u001b[2K${line.slice(0, Math.max(0, columns - 1))}`)
  }
  const timer = setInterval(redraw, shell.columns === undefined ? plainLineMs : redrawMs)
  return {
    stop: () => {
      clearInterval(timer)
      if (shell.columns !== undefined) shell.err('\r\u001b[2K')
    },
  }
}

/** `soak · average · 42 sessions · 1250 events/s · first_delta p95 34 ms · 0 errors · 25 s left`. */
export function loadLine(title: string, state: LoadState | undefined): string {
  if (state === undefined) return `${title} · k6 starts`
  const { open, events_per_s, p95, errors, at_most, seconds_left } = state
  return [
    title,
    `${open} ${open === 1 ? 'session' : 'sessions'}`,
    `${events_per_s} events/s`,
    ...(p95 === undefined ? [] : [`${p95.operation} p95 ${p95.ms} ms`]),
    `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    seconds_left > 0 ? `${at_most ? 'at most ' : ''}${Math.ceil(seconds_left)} s left` : 'the last iterations end',
  ].join(' · ')
}
