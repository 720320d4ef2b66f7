import { keyNames } from '#spec/profile'
import { DEFECTS } from '#target/defects'
import { hostileTargets } from '#testing/hostile/targets'
import { defective, hostile, type Measured, measure } from './broken-targets.ts'

/** A broken target costs at most so many times what a correct one costs; a hostile one at most so many seconds. */
const mostTimes = 2
const mostSeconds = 120

/** Mistakes that block many scenarios, and all of those about the envelope, close, quota, expiry and rate. */
const parts =
  /^(errors\.envelope\.|avatar-sessions\.(close|expiry|list)\.|limits\.(concurrency|api-key-rate)\.|errors\.code-(10008|30006|30008)\.)/

/** @throws when a run against a defect takes too long or ends as a mistake of ours */
export async function brokenSeries(): Promise<string> {
  const limit = mostTimes * (await measure(() => defective({}))).seconds
  const measured: [string, Measured][] = []
  for (const { id } of DEFECTS.filter((one) => parts.test(one.id))) {
    measured.push(tell(id, await measure(() => defective({ defects: [id] }))))
  }
  return summary(measured, limit)
}

/** @throws when a run against a hostile target takes too long or ends as a mistake of ours */
export async function hostileSeries(): Promise<string> {
  const unlimited = { requests_per_minute: 60_000, concurrent_sessions: 20 }
  const limits = Object.fromEntries(keyNames.map((name) => [name, unlimited]))
  const measured: [string, Measured][] = []
  for (const { id } of hostileTargets) measured.push(tell(id, await measure(() => hostile(id, limits))))
  return summary(measured, mostSeconds)
}

function tell(id: string, measured: Measured): [string, Measured] {
  const { seconds, requests, exit, open } = measured
  console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${requests} requests, ${open} left open, exit ${exit}  ${id}`)
  return [id, measured]
}

function summary(all: readonly [string, Measured][], limit_s: number): string {
  const bad = all.filter(([, { seconds, exit }]) => seconds > limit_s || exit === 4)
  if (bad.length > 0)
    throw new Error(`longer than ${limit_s.toFixed(0)} s, or exit 4: ${bad.map(([id]) => id).join(', ')}`)
  const slowest = Math.max(...all.map(([, { seconds }]) => seconds))
  return `${all.length} runs, the slowest took ${slowest.toFixed(1)} s of at most ${limit_s.toFixed(0)}`
}
