import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { conclude } from '#report/conclusion'
import type { Profile } from '#spec/profile'
import { loadScenarios } from '#scenario/plan/catalogue'
import type { HostileTarget } from './hostile/hostile-target.ts'
import { hostileTargets } from './hostile/targets.ts'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun } from './judged-run.ts'
import { newFile } from './new-folder.ts'

const scenarios = await loadScenarios()
const timeouts = { event_ms: 200, closed_ms: 500, auto_close_grace_ms: 500, provisioning_ms: 500 }
/** Whoever answers is heard, however busy the machine is. */
const replyMs = ({ expect: { envelope } }: HostileTarget): number => (envelope ? 10_000 : 500)

/** A whole standard run against a hostile target: it ends, and says why. */
async function run(hostile: HostileTarget): Promise<{ results: Results; foreign: number }> {
  const server = await hostile.start()
  try {
    const profile: Profile = {
      base_url: server.base_url,
      ...(server.ca_pem === undefined
        ? { allow_insecure_loopback: true }
        : { ca_file: newFile('ca.pem', server.ca_pem) }),
      keys: { primary: 'HOSTILE_KEY' },
      limits: { primary: { requests_per_minute: 60_000, concurrent_sessions: 20 } },
      timeouts: { ...timeouts, reply_ms: replyMs(hostile) },
    }
    const environment = { HOSTILE_KEY: server.keys?.['primary'] ?? 'sk-hostile-0123456789' }
    const { results } = await judgedRun({ profile, environment, scenarios, cleanup_ms: 2_000 })
    return { results, foreign: server.stats.foreign }
  } finally {
    await server.stop()
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
