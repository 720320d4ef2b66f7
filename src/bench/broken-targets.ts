import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import { keyNames, type Profile } from '#spec/profile'
import { startTarget, type TargetOptions } from '#target/start'
import { targetNamed } from '#testing/hostile/target-named'
import { judgedRun } from '#testing/judged-run'
import { inFolder } from '#testing/new-folder'
import { stopwatch } from './stopwatch.ts'
import { type Running, servedBy } from './target-file.ts'

/** How long a run against a target took, and what it came to. */
export interface Measured {
  readonly seconds: number
  readonly requests: number
  readonly exit: number
  /** Sessions that the target still holds, where it tells. */
  readonly open: number
  readonly results: Results
}

interface Subject extends Running {
  readonly profile: Profile
}

/** Starts the reference target. */
export async function defective(options: TargetOptions): Promise<Subject> {
  const target = await startTarget(options)
  return { ...servedBy(target), open: () => target.openSessions(), stop: () => target.stop() }
}

/** Starts a hostile target; all keys are the one that it takes. */
export async function hostile(id: string, limits: Profile['limits']): Promise<Subject> {
  const { base_url, ca_pem, keys, stop } = await targetNamed(id).start()
  const named = Object.fromEntries(keyNames.map((name) => [name, 'HOSTILE_KEY']))
  const insecure = ca_pem === undefined ? { allow_insecure_loopback: true } : {}
  const profile = { base_url, keys: named, ...(limits === undefined ? {} : { limits }), ...insecure }
  return {
    ca_pem,
    profile,
    environment: { HOSTILE_KEY: keys?.primary ?? 'sk-hostile-0123456789' },
    open: () => 0,
    stop,
  }
}

/** A standard run in this process, with the time that really goes by. @param keep file of the trace, where it is to stay */
export async function measure(start: () => Promise<Subject>, keep?: string): Promise<Measured> {
  const { profile, ca_pem, environment, open, stop } = await start()
  try {
    return await inFolder(async (folder) => {
      const ca_file = join(folder, 'ca.pem')
      if (ca_pem !== undefined) writeFileSync(ca_file, ca_pem)
      const seconds = stopwatch()
      const { results } = await judgedRun({
        profile: { ...profile, ...(ca_pem === undefined ? {} : { ca_file }) },
        environment,
        ...(keep === undefined ? {} : { out: keep }),
      })
      return {
        seconds: seconds(),
        requests: results.traffic.rest_requests,
        exit: conclude(results).exit,
        open: open(),
        results,
      }
    })
  } finally {
    await stop()
  }
}
