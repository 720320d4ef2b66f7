import { performance } from 'node:perf_hooks'
import type { Shell } from '../shell.ts'
import type { RunState, TraceFollower } from './follow-trace.ts'

/** What the run is expected to need. */
export interface Expected {
  readonly scenarios: number
  readonly requests: number
  /** As long as the pace of the keys and the waits of the scenarios make it. */
  readonly seconds: number
}

export interface Progress {
  stop(): void
}

const redrawMs = 250
const plainLineMs = 15_000

/** Shows how far a run is on standard error: one line that changes on a terminal, a line now and then elsewhere. */
export function showProgress(shell: Shell, follower: TraceFollower, expected: Expected): Progress {
  const began = performance.now()
  const line = (): string => progressLine(follower.look(), expected, (performance.now() - began) / 1000)
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

/** `12/48 scenarios · 133/310 requests · 4.2/s · about 40 s left · control-channel.script`. */
export function progressLine(state: RunState, expected: Expected, elapsed: number): string {
  const { requests, scenariosDone, running } = state
  const parts = [
    `${scenariosDone}/${expected.scenarios} scenarios`,
    `${requests}/${Math.max(requests, expected.requests)} requests`,
    `${(elapsed === 0 ? 0 : requests / elapsed).toFixed(1)}/s`,
    `about ${duration(secondsLeft(state, expected, elapsed))} left`,
    ...running.slice(-1),
  ]
  return parts.join(' · ')
}

/** The plan's own estimate at first; what the target really needs a request, the further the run gets. */
function secondsLeft({ requests, scenariosDone }: RunState, expected: Expected, elapsed: number): number {
  const planned = Math.max(0, expected.seconds - elapsed)
  if (requests === 0 || expected.requests === 0) return planned
  const done = Math.min(1, Math.max(requests / expected.requests, scenariosDone / Math.max(1, expected.scenarios)))
  const measured = (elapsed / done) * (1 - done)
  return done * measured + (1 - done) * planned
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
