import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { judge } from '#judge/judge'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import type { Profile } from '#spec/profile'
import { loadScenarios } from '#scenario/plan/catalogue'
import { driveTarget } from '#scenario/run/drive'
import type { HostileTarget } from './hostile/hostile-target.ts'
import { hostileTargets } from './hostile/targets.ts'
import { WHOLE_RUN_MS } from './hang.ts'

const scenarios = await loadScenarios()
const rules = await loadRules()
const timeouts = { event_ms: 200, closed_ms: 500, auto_close_grace_ms: 500, provisioning_ms: 500 }
/** Whoever answers is heard, however busy the machine is. */
const replyMs = ({ expect: { envelope } }: HostileTarget): number => (envelope ? 10_000 : 500)

/** A whole standard run against a hostile target: it ends, and says why. */
async function run(hostile: HostileTarget): Promise<{ results: Results; foreign: number; megabytes: number }> {
  const server = await hostile.start()
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-hostile-'))
  try {
    if (server.ca_pem !== undefined) writeFileSync(join(folder, 'ca.pem'), server.ca_pem)
    const profile: Profile = {
      base_url: server.base_url,
      ...(server.ca_pem === undefined ? { allow_insecure_loopback: true } : { ca_file: join(folder, 'ca.pem') }),
      keys: { primary: 'HOSTILE_KEY' },
      limits: { primary: { requests_per_minute: 60_000, concurrent_sessions: 20 } },
      timeouts: { ...timeouts, reply_ms: replyMs(hostile) },
    }
    const environment = { HOSTILE_KEY: server.keys?.['primary'] ?? 'sk-hostile-0123456789' }
    const before = process.memoryUsage().rss
    const driven = await driveTarget({
      profile,
      environment,
      scenarios,
      seed: 1,
      cleanup_ms: 2_000,
      journal: join(folder, 'j'),
    })
    const megabytes = (process.memoryUsage().rss - before) / 1e6
    return { results: judge(driven.trace, register(), rules), foreign: server.stats.foreign, megabytes }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const creating = (target: HostileTarget): boolean => target.expect.sessions

test.concurrent.each(hostileTargets.filter((target) => !creating(target)))(
  '$id passes no requirement',
  { timeout: WHOLE_RUN_MS },
  async (hostile) => {
    const { results, foreign } = await run(hostile)
    const passed = results.requirements.filter((row) => row.verdict === 'pass').map((row) => row.id)
    expect(passed).toEqual([])
    expect(foreign).toBe(0)
    expect(results.conformant).not.toBe(true)
    expect(results.harness_errors).toEqual([])
    expect([1, 3]).toContain(conclude(results).exit)
  },
)

test.concurrent.each(hostileTargets.filter(creating))(
  '$id is not conformant, and the run ends',
  { timeout: WHOLE_RUN_MS },
  async (hostile) => {
    const { results, foreign } = await run(hostile)
    expect(foreign).toBe(0)
    expect(results.conformant).not.toBe(true)
    expect(results.harness_errors).toEqual([])
    expect([1, 3]).toContain(conclude(results).exit)
  },
)
