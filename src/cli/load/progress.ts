import { performance } from 'node:perf_hooks'
import type { LiveFigures } from '#load/results/timeline'
import type { Progress } from '../check/progress.ts'
import type { Shell } from '../shell.ts'

const redrawMs = 500
const plainLineMs = 10_000

/** Shows how a load run goes on standard error: one line that changes on a terminal, a line now and then elsewhere. */
export function showLoad(shell: Shell, title: string, seconds: number, look: () => LiveFigures): Progress {
  const began = performance.now()
  const line = (): string => loadLine(title, look(), seconds - (performance.now() - began) / 1_000)
  const redraw = (): void => {
    const { columns } = shell
    if (columns === undefined) shell.err(`${line()}\n`)
    else shell.err(`\r\u001b[2K${line().slice(0, Math.max(0, columns - 1))}`)
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
export function loadLine(title: string, live: LiveFigures, secondsLeft: number): string {
  const { active_sessions, events_per_s, p95, errors } = live
  return [
    title,
    `${active_sessions} sessions`,
    `${events_per_s} events/s`,
    ...(p95 === undefined ? [] : [`${p95.operation} p95 ${p95.ms} ms`]),
    `${errors} errors`,
    secondsLeft > 0 ? `${Math.ceil(secondsLeft)} s left` : 'the last iterations end',
  ].join(' · ')
}
