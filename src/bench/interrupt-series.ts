import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeded } from '#scenario/runner/random'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { startFullServer } from '#testing/full-server/start'
import { startMinimalServer } from '#testing/minimal-server/start'
import { type Ran, runBin } from './run-bin.ts'

/** A server under test, and how many sessions it still holds. */
interface Served {
  readonly profile: object
  readonly ca_pem: string | undefined
  readonly environment: { readonly [name: string]: string }
  readonly open: () => number
  readonly stop: () => Promise<void>
}

const servers: { readonly [name: string]: () => Promise<Served> } = {
  reference: async () => {
    const target = await startTarget()
    const { ca_pem } = target
    const environment = environmentOf(target)
    const [open, stop] = [() => target.openSessions(), () => target.stop()]
    return { profile: profileOf(target), ca_pem, environment, open, stop }
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

type Interrupted = Omit<Ran, 'seconds'> & { readonly seconds: number }

/** @returns with the seconds from the signal to the end; 0 where the run was over before */
async function interrupted(served: Served, after_ms: number, seed: number): Promise<Interrupted> {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-interrupts-'))
  let sent: number | undefined
  try {
    writeFileSync(join(folder, 'ca.pem'), served.ca_pem ?? '')
    const file = join(folder, 'profile.json')
    writeFileSync(file, JSON.stringify({ ...served.profile, ca_file: join(folder, 'ca.pem') }))
    const ran = await runBin(['check', '--target', file, '--seed', String(seed)], {
      env: { ...served.environment, XDG_STATE_HOME: folder },
      started: ({ pid = 0, exitCode }) =>
        setTimeout(() => {
          if (exitCode !== null || !interrupt(pid)) return
          sent = performance.now()
        }, after_ms),
    })
    return { ...ran, seconds: sent === undefined ? 0 : (performance.now() - sent) / 1_000 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

function wrongIn({ code, seconds, results, output }: Interrupted, { open }: Served): readonly string[] {
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
