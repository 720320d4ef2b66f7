import { createHash } from 'node:crypto'
import type { LoadReport } from '../load-report.ts'
import { hasEvents } from '../results/kind.ts'
import { eventRateOf } from '../results/throughput.ts'

/** One line of `history.jsonl`: what one run of one scenario measured. */
export interface Night {
  /** Date on which it began, in UTC. */
  readonly night: string
  readonly run: string
  readonly scenario: string
  readonly workload: string
  /** Equal where numbers may be compared. */
  readonly fingerprint: string
  readonly verdict: 'pass' | 'fail' | 'invalid'
  readonly metrics: Metrics
  /** How many iterations `error_share` is a share of; older lines lack it. */
  readonly iterations?: number
}

export type Metrics = { readonly [name: string]: number }

/** Of which metrics less is worse; of all others more is. */
const lessIsWorse: ReadonlySet<string> = new Set(['iterations_per_s', 'events_per_s', 'knee_per_s', 'held_per_s'])

export function isBetter(metric: string, before: number, after: number): boolean {
  return after > before === lessIsWorse.has(metric)
}

/** The smallest difference that this metric can show: times fall into buckets of a tenth of a millisecond, and errors come one by one. */
export function grainOf(metric: string, { iterations }: Night): number {
  if (metric.endsWith('_ms')) return 0.1
  return metric === 'error_share' ? 1 / Math.max(1, iterations ?? 1_000) : 0
}

export function nightOf(report: LoadReport): Night {
  const { run, scenario, workload, verdict } = report
  const metrics = metricsOf(report)
  return {
    night: report.started.slice(0, 10),
    run,
    scenario,
    workload,
    fingerprint: fingerprintOf(report),
    verdict,
    metrics,
    iterations: iterationsOf(report),
  }
}

/** Few on purpose: every metric that is watched can raise a false alarm of its own. */
function metricsOf(report: LoadReport): Metrics {
  const { rate, latencies, timeline, errors, knee, broke, counts } = report
  const iterations = iterationsOf({ timeline, counts })
  const failed = errors.reduce((sum, { count }) => sum + count, 0)
  const times = Object.entries(latencies).flatMap(([operation, { p50, p95, p99 }]) =>
    Object.entries({ p50, p95, p99 }).map(([share, ms]): [string, number | null] => [`${operation}.${share}_ms`, ms]),
  )
  const all: readonly (readonly [string, number | null])[] = [
    ['iterations_per_s', rate.achieved_per_s],
    // Where no event can come, its rate is no metric.
    ['events_per_s', hasEvents(report) ? eventRateOf(report).reached : null],
    ['error_share', iterations > 0 ? Math.min(1, failed / iterations) : null],
    ['knee_per_s', knee?.knee_per_s ?? null],
    ['held_per_s', broke?.held_per_s ?? null],
    ...times,
  ]
  return Object.fromEntries(all.filter((one): one is [string, number] => one[1] !== null))
}

function iterationsOf({ timeline, counts }: Pick<LoadReport, 'timeline' | 'counts'>): number {
  return timeline.reduce((sum, window) => sum + window.iterations, 0) || total(counts['iterations'])
}

function total(counts: { readonly [key: string]: number } = {}): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/**
 * sha256 of what decides the numbers and is no property of the service's version. Greenroom's own version is not in it:
 * where an upgrade shifts numbers, the history shall show it as it shows any other change.
 */
function fingerprintOf({ scenario, mix, workload, rate, target, machine, parts, versions }: LoadReport): string {
  const { hostname, host } = new URL(target.base_url)
  const facts = {
    scenario,
    mix: mix ?? null,
    workload,
    target_per_s: rate.target_per_s,
    // Targets on this machine get another port every night.
    host: isLoopback(hostname) ? 'loopback' : host,
    profile: target.profile_digest,
    machine: [machine.cpus, Math.round(machine.memory_bytes / 2 ** 30), machine.platform],
    parts,
    k6: versions.k6,
  }
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
