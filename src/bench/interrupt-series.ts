import { seeded } from '#scenario/runner/random'
import { startTarget } from '#target/start'
import { startFullServer } from '#testing/full-server/start'
import { startMinimalServer } from '#testing/minimal-server/start'
import { inFolder } from '#testing/new-folder'
import { type Ran, runBin } from './run-bin.ts'
import { stopwatch } from './stopwatch.ts'
import { type Running, type Served, servedBy, targetFile } from './target-file.ts'

const servers: { readonly [name: string]: () => Promise<Running> } = {
  reference: async () => {
    const target = await startTarget()
    return { ...servedBy(target), open: () => target.openSessions(), stop: () => target.stop() }
  },
  minimal: async () => {
    const minimal = await startMinimalServer()
    return { ...minimal, open: () => minimal.openSessions().length, stop: () => minimal.stop() }
  },
  full: async () => {
    const full = await startFullServer()
    return { ...full, open: () => full.openSessions().length, stop: () => full.stop() }
  },
}

/** A signal comes at the earliest when the run has begun, in milliseconds. */
const earliest_ms = 600
/** From the signal to the end, in seconds. */
const longest_s = 5

/**
 * Runs that Ctrl-C ends at random moments, against the reference target and two independent servers.
 *
 * @throws when one blames the target, leaves something open as the target counts it, or takes longer than five seconds
 */
export async function interruptSeries(times: number, latest_ms = 14_000): Promise<string> {
  const random = seeded(1, 'interrupts')
  const troubles: string[] = []
  const took: number[] = []
  for (const [name, start] of Object.entries(servers)) {
    for (let round = 1; round <= times; round += 1) {
      const served = await start()
      const after_ms = earliest_ms + random(latest_ms - earliest_ms)
      try {
        const ran = await interrupted(served, after_ms, round)
        took.push(ran.seconds)
        troubles.push(...wrongIn(ran, served).map((what) => `${name}, after ${after_ms} ms: ${what}`))
      } finally {
        await served.stop()
      }
    }
  }
  if (troubles.length > 0) throw new Error(`${troubles.length} troubles: ${troubles.slice(0, 8).join('; ')}`)
  return `${took.length} interrupts blamed nobody and left nothing open, the slowest took ${Math.max(...took).toFixed(1)} s`
}

/** @returns with the seconds from the signal to the end; 0 where the run was over before */
async function interrupted(served: Served, after_ms: number, seed: number): Promise<Ran> {
  let sinceSignal: (() => number) | undefined
  return inFolder(async (folder) => {
    const { file, env } = targetFile(folder, served)
    const ran = await runBin(['check', '--target', file, '--seed', String(seed)], {
      env,
      started: ({ pid = 0, exitCode }) =>
        setTimeout(() => {
          if (exitCode !== null || !interrupt(pid)) return
          sinceSignal = stopwatch()
        }, after_ms),
    })
    return { ...ran, seconds: sinceSignal?.() ?? 0 }
  })
}

/** As a terminal does: the whole group gets the signal. False where it had ended by itself. */
function interrupt(pid: number): boolean {
  try {
    process.kill(-pid, 'SIGINT')
    return true
  } catch {
    return false
  }
}

function wrongIn({ code, seconds, results, output }: Ran, { open }: Running): readonly string[] {
  const failed = results?.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn') ?? []
  const left = open()
  return [
    ...(results === undefined && code !== 130 ? [`it ended with ${code}: ${output.slice(-300)}`] : []),
    ...failed.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`),
    ...(results?.harness_errors ?? []).map(({ message }) => `a mistake of ours: ${message}`),
    ...(results?.leaked ?? []).map(({ resource, reason }) => `${resource} leaked: ${reason}`),
    ...(left > 0 ? [`${left} sessions are open`] : []),
    ...(seconds > longest_s ? [`it took ${seconds.toFixed(1)} s to end`] : []),
  ]
}
