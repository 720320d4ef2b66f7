import type { Shell } from '../shell.ts'
import type { FailedSoFar } from './failed-so-far.ts'
import type { TraceFollower } from './follow-trace.ts'
import { RunState } from './run-state.ts'
import { type Planned, secondsLeft } from './time-left.ts'
import { verboseLines } from './verbose.ts'
import { waitingFor } from './waiting.ts'

export interface Progress {
  stop(): void
}

/** What is watched, and by what. */
export interface Watching {
  readonly follower: TraceFollower
  readonly planned: Planned
  /** Milliseconds since the run began, as the trace counts them. */
  readonly now: () => number
  /** Requirements that failed so far; undefined where nobody looks. */
  readonly failed?: FailedSoFar
  /** Whether each exchange and event is shown as it comes. */
  readonly verbose: boolean
}

const redrawMs = 250
const plainLineMs = 15_000

/** Shows how far a run is on standard error: one line that changes on a terminal, a line now and then elsewhere. */
export function showProgress(shell: Shell, { follower, planned, now, failed, verbose }: Watching): Progress {
  const state = new RunState()
  let plainAt = now() + plainLineMs
  const erased = (): string => (shell.columns === undefined ? '' : '\r\u001b[2K')
  const showNew = (): void => {
    const entries = follower.look()
    for (const entry of entries) state.take(entry)
    const lines = [...(verbose ? entries.flatMap(verboseLines) : []), ...(failed?.fresh() ?? []).map(failedLine)]
    for (const line of lines) shell.err(`${erased()}${line}\n`)
  }
  const tick = (): void => {
    showNew()
    failed?.look(state.done)
    const { columns } = shell
    const line = progressLine(state, planned, now(), failed?.count ?? 0)
    if (columns !== undefined) shell.err(`${erased()}${line.slice(0, Math.max(0, columns - 1))}`)
    else if (now() >= plainAt) {
      plainAt = now() + plainLineMs
      shell.err(`${line}\n`)
    }
  }
  const timer = setInterval(tick, redrawMs)
  return {
    stop: () => {
      clearInterval(timer)
      showNew()
      failed?.stop()
      if (shell.columns !== undefined) shell.err('\r\u001b[2K')
    },
  }
}

const failedLine = (requirement: string): string => `failed so far: ${requirement}`

/** `12/48 scenarios · 133/310 requests · 2 failed · about 40 s left · pace of key primary …, 12 s left · voices.library`. */
export function progressLine(state: RunState, planned: Planned, now: number, failed: number): string {
  const { requests, done, running } = state
  const waiting = waitingFor(state, planned, now)
  // Who waits for something is not over before it comes, though all was sent that was foretold.
  const left = Math.max(secondsLeft(state, planned, now), (waiting?.ms ?? 0) / 1_000)
  const parts = [
    `${done.size}/${planned.scenarios.length} scenarios`,
    `${requests}/${Math.max(requests, planned.requests)} requests`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `about ${duration(left)} left`,
    ...(waiting === undefined ? [] : [`waits for ${waiting.what}`]),
    ...(running.size + done.size === 0 ? ['loads the scenarios'] : [...running.keys()].slice(-1)),
  ]
  return parts.join(' · ')
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
