import type { Night } from '../../history/night.ts'
import { seededRandom } from '../../history/statistics.ts'
import { noisy } from '../../history/testing/synthetic.ts'
import type { LoadReport, Percentiles, TimelineWindow } from '../../load-report.ts'

/** Milliseconds at the median, at no load. */
const operations = {
  create: 24,
  connect: 6,
  update: 3.1,
  created: 2.4,
  first_delta: 38,
  delta_gap: 4.8,
  response: 410,
  close: 9,
}

const objectives: LoadReport['objectives'] = [
  { name: 'p95_ms', operation: 'create', bound: 100, got: 50.4, holds: true },
  { name: 'p95_ms', operation: 'first_delta', bound: 75, got: 79.8, holds: false },
  { name: 'error_share', operation: null, bound: 0.02, got: 0.0102, holds: true },
  { name: 'events_per_second', operation: null, bound: 1_000, got: 1_579, holds: true },
]

const requirements: LoadReport['requirements'] = [
  {
    id: 'control-channel.text-delta.concatenate-to-final-text',
    text: 'The deltas of an item, joined in their order, are the text of its `response.output_text.done`.',
    section: '6.2',
    verdict: 'fail',
    reason: 'expected "Good evening, and welcome", got "Good evening, welcome"',
    evidence: [
      { conversation: '7:41', line: 1_204 },
      { conversation: '9:12', line: 3_377 },
    ],
  },
  {
    id: 'control-channel.response-done.last-event',
    text: 'No event of a response follows its `response.done`.',
    section: '6.2',
    verdict: 'pass',
    evidence: [],
  },
]

/** A run of ten minutes that got slower in its seventh, as a test needs it: nobody measured it. */
export function madeUpReport(overrides: Partial<LoadReport> = {}, windows = 120): LoadReport {
  const random = seededRandom(11)
  const timeline = Array.from({ length: windows }, (_, index) => windowAt(index, random))
  const counts = {
    iterations: { begun: 11_840, ended: 11_802 },
    events: { 'response.output_text.delta': 912_004, 'response.done': 35_406 },
  }
  const latencies = Object.entries(operations).map(([name, ms]) => {
    const shares = { p50: ms, p90: ms * 1.7, p95: ms * 2.1, p99: ms * 3.4, p999: ms * 6, max: ms * 9.3 }
    return [name, { count: 11_802, ...shares, intended: { p50: ms * 1.01, p95: ms * 2.2, p99: ms * 3.7 } }] as const
  })
  return {
    format: 'greenroom.load/1',
    run: 'f3b7c1d0',
    scenario: 'control-throughput',
    workload: 'average',
    started: '2026-11-20T02:00:00.000Z',
    duration_ms: 600_000,
    versions: { greenroom: '0.1.0', k6: 'v2.2.0', node: 'v24.21.0' },
    machine: { cpus: 2, memory_bytes: 24 * 2 ** 30, platform: 'linux x64' },
    target: { base_url: 'https://staging.example', profile_digest: 'a'.repeat(64) },
    parts: 2,
    verdict: 'fail',
    reasons: ['first_delta took 79.8 ms at p95, the objective is 75 ms', '38 conversations were cut off'],
    exit: 1,
    rate: { target_per_s: 20, achieved_per_s: 19.7, dropped: 160 },
    counts,
    latencies: Object.fromEntries(latencies),
    errors: [
      { phase: 'create', http: 429, code: '30008', count: 71 },
      { phase: 'upgrade', http: 503, code: 'no-envelope', count: 12 },
      { phase: 'in-session', http: null, code: 'server_error', count: 38 },
    ],
    timeline,
    generator: { lag_p99_ms: 1.8, lag_bound_ms: 20, dropped: 160, healthy: true },
    objectives,
    requirements,
    samples: { conversations: 118, entries: 9_741, file: 'samples.ndjson' },
    knee: {
      objective: 'p99 of first_delta at most 150 ms',
      steps: [5, 10, 20, 40, 80, 60, 50, 55, 50].map((rate) => ({
        rate,
        achieved: rate * (rate > 60 ? 0.9 : 0.99),
        p99_ms: 40 + rate ** 2 / 25,
        held: rate < 55,
      })),
      knee_per_s: 50,
    },
    tally: {},
    ...overrides,
  }
}

function windowAt(index: number, random: () => number): TimelineWindow {
  const slow = index >= 84 ? 1.5 : 1
  const latencies = Object.entries(operations).map(([name, ms]): [string, Percentiles] => {
    const now = ms * slow * (0.92 + 0.16 * random())
    return [name, { p50: now, p95: now * 2.1, p99: now * (3 + random()) }]
  })
  return {
    at_s: index * 5,
    active_sessions: Math.round(Math.min(1, index / 12) * 84 + 6 * random()),
    iterations: Math.round(Math.min(1, (index + 4) / 12) * 96 + 8 * random()),
    events: Math.round(Math.min(1, (index + 2) / 12) * 7_700 + 500 * random()),
    errors: index >= 84 ? Math.round(5 * random()) : index % 31 === 30 ? 1 : 0,
    latencies: Object.fromEntries(latencies),
  }
}

/** Nights that vary by 5 %; some metrics step. Tonight is the last. */
export function madeUpNights(count = 90): readonly Night[] {
  const metrics = { iterations_per_s: 19.8, events_per_s: 1_580, error_share: 0.01, ...times() }
  const series = Object.entries(metrics).map(
    ([name, level], index) =>
      [name, noisy(index, count, level).map((value, night) => value * stepOf(name, night, count))] as const,
  )
  return Array.from({ length: count }, (_, night) => ({
    night: new Date(Date.UTC(2026, 10, 20) - (count - 1 - night) * 86_400_000).toISOString().slice(0, 10),
    run: `run-${night}`,
    scenario: 'control-throughput',
    workload: 'average',
    fingerprint: 'made-up',
    verdict: 'pass',
    metrics: Object.fromEntries(series.map(([name, values]) => [name, values[night] ?? 0])),
  }))
}

function times(): { readonly [metric: string]: number } {
  const shares = { p50: 1, p95: 2.1, p99: 3.4 }
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, ms]) =>
      Object.entries(shares).map(([share, factor]) => [`${name}.${share}_ms`, ms * factor]),
    ),
  )
}

function stepOf(metric: string, night: number, count: number): number {
  if (metric.startsWith('first_delta') && night >= count - 4) return 1.3
  if (metric.startsWith('create.') && night >= 30) return 0.85
  return 1
}
