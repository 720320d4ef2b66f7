import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '#judge/results'
import { isLeftOpen } from '#judge/verdict'
import type { DriveOptions } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { FaultPlan } from '#testing/faulty-proxy/fault-plan'
import { startFaultyProxy } from '#testing/faulty-proxy/proxy'
import { judgedRun } from '#testing/judged-run'
import { stopwatch } from './stopwatch.ts'

interface Run {
  readonly seed: number
  readonly results: Results
  readonly left: number
  readonly mishaps: number
  readonly seconds: number
}

/**
 * Standard runs of the reference target behind a faulty proxy, each with another seed.
 *
 * @param share of the runs that must be conformant
 * @param keep folder for the traces
 * @throws when a row fails, something is left open, or too few are conformant
 */
export async function transportFailureSeries(
  times: number,
  faultPlan: (seed: number) => FaultPlan,
  share: number,
  keep?: string,
): Promise<string> {
  const runs: Run[] = []
  if (keep !== undefined) mkdirSync(keep, { recursive: true })
  for (let seed = 1; seed <= times; seed += 1) {
    const run = await behindFaultyProxy(seed, faultPlan, keep === undefined ? {} : { keep })
    runs.push(run)
    console.log(told(run))
  }
  const red = runs.filter(({ results }) => wrong(results).length > 0)
  const left = runs.reduce((sum, run) => sum + run.left, 0)
  const conformant = runs.filter(({ results }) => results.conformant === true).length
  const said = `${times} runs: ${red.length} with a failure, ${left} left open, ${conformant} conformant`
  if (red.length > 0 || left > 0 || conformant < times * share) throw new Error(said)
  return said
}

/** What is run: all of the standard tier where nothing is said. */
interface Wishes extends Pick<DriveOptions, 'only' | 'tier'> {
  /** Folder for the trace. */
  readonly keep?: string
}

export async function behindFaultyProxy(
  seed: number,
  faultPlan: (seed: number) => FaultPlan,
  { keep, ...wishes }: Wishes = {},
): Promise<Run> {
  const seconds = stopwatch()
  const target = await startTarget({ tls: false, seed })
  const proxy = await startFaultyProxy(target.base_url, faultPlan(seed))
  try {
    const { results } = await judgedRun({
      profile: { ...profileOf(target), base_url: proxy.base_url },
      environment: environmentOf(target),
      seed,
      ...wishes,
      ...(keep === undefined ? {} : { out: join(mkdtempSync(join(keep, `seed-${seed}-`)), 'trace.ndjson') }),
    })
    await new Promise((resolve) => void setTimeout(resolve, 200))
    const mishaps = [...proxy.mishaps.values()].reduce((sum, count) => sum + count, 0)
    return { seed, results, left: target.openSessions(), mishaps, seconds: seconds() }
  } finally {
    await proxy.stop()
    await target.stop()
  }
}

/** Rows that a correct service is blamed for; mistakes of ours are told in the same breath. */
export function wrong({ requirements, unscored, harness_errors }: Results): string[] {
  const rows = [...requirements, ...unscored].filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return [...rows.map(({ id, reason }) => `${id}: ${reason}`), ...harness_errors.map(({ message }) => message)]
}

function told({ seed, results, left, mishaps, seconds }: Run): string {
  const open = results.requirements.filter((row) => isLeftOpen(row, []))
  const verdict = results.conformant === true ? 'conformant' : results.conformant === null ? 'undecided' : 'FAILED'
  const head = `  ${seed}: ${verdict}, ${mishaps} mishaps, ${results.traffic.rest_requests} requests, ${Math.round(seconds)} s`
  const lines = [
    ...wrong(results).map((one) => `     RED ${one.slice(0, 300)}`),
    ...open.slice(0, 8).map(({ id, reason }) => `     open ${id}: ${reason.slice(0, 160)}`),
  ]
  return [`${head}, ${left} left open, ${open.length} rows open`, ...lines].join('\n')
}
