import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { isLeftOpen } from '#judge/verdict'
import { seeded } from '#scenario/runner/random'
import { startTarget } from '#target/start'
import { inFolder } from '#testing/new-folder'
import { type Ran, runBin } from './run-bin.ts'
import { servedBy, targetFile } from './target-file.ts'
import { wrong } from './transport-failure-series.ts'

/** What waits for timers, limits and ends, all at the same time, so that a halt strikes each of them somewhere else. */
const parts = [
  'limits',
  'world-sessions.expiry',
  'avatar-sessions.expiry',
  ...['saved-duration', 'sent-duration', 'longer-duration', 'saved-timeout', 'later-timeout'].map(
    (name) => `characters.${name}`,
  ),
  ...['never-connected', 'after-connection', 'second-connection', 'off'].map(
    (name) => `avatar-sessions.disconnected-${name}`,
  ),
  ...[
    'silent',
    'during-speech',
    'interrupted-by-event',
    'interrupted-by-response',
    'pinged',
    'refused-event',
    'off',
  ].map((name) => `avatar-sessions.idle-${name}`),
]

/** How long the run stands still, and how long it goes on in between, in milliseconds. */
const halt = { least: 2_000, most: 5_000 }
const between = { least: 1_000, most: 7_000 }

/**
 * Runs that stand still over and over, as on a machine that sleeps, while the target goes on.
 *
 * @throws when a row is called wrong
 */
export async function haltSeries(times: number): Promise<string> {
  const troubles: string[] = []
  let [halts, open] = [0, 0]
  for (let seed = 1; seed <= times; seed += 1) {
    const { ran, count } = await haltedRun(seed)
    halts += count
    open += ran.results?.requirements.filter((row) => isLeftOpen(row, [])).length ?? 0
    const said = ran.results === undefined ? [`no results: ${ran.output.slice(-300)}`] : wrong(ran.results)
    troubles.push(...said.map((what) => `seed ${seed}: ${what}`))
  }
  if (troubles.length > 0) throw new Error(`${troubles.length} troubles: ${troubles.slice(0, 8).join('; ')}`)
  return `${times} runs stood still ${halts} times and blamed nobody; ${open} rows were left open`
}

async function haltedRun(seed: number): Promise<{ readonly ran: Ran; readonly count: number }> {
  const target = await startTarget({ seed })
  const over = new AbortController()
  let halting: Promise<number> | undefined
  const started = (child: ChildProcess): void => {
    halting = standStill(child, seed, over.signal)
  }
  try {
    const ran = await inFolder((folder) => {
      const { file, env } = targetFile(folder, servedBy(target))
      const only = parts.flatMap((part) => ['--only', part])
      const args = ['check', '--target', file, '--tier', 'full', '--seed', `${seed}`, ...only]
      return runBin(args, { env, started })
    })
    over.abort()
    return { ran, count: (await halting) ?? 0 }
  } finally {
    over.abort()
    await target.stop()
  }
}

/** Stops all processes of a run, and lets them go on, until the run is over. @returns how often */
async function standStill({ pid }: ChildProcess, seed: number, over: AbortSignal): Promise<number> {
  const random = seeded(seed, 'halts')
  const drawn = ({ least, most }: typeof halt): number => least + random(most - least)
  for (let count = 0; ; count += 1) {
    if (pid === undefined || !(await passed(drawn(between), over)) || !signal(pid, 'SIGSTOP')) return count
    await passed(drawn(halt), over)
    signal(pid, 'SIGCONT')
  }
}

/** @returns whether the time went by before the run was over */
async function passed(ms: number, over: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(ms, undefined, { signal: over })
    return true
  } catch {
    return false
  }
}

/** @returns whether there is anybody left to hear it */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(-pid, name)
  } catch {
    return false
  }
}
