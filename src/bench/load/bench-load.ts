import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { findK6 } from '#load/k6/binary'
import { writeBundle } from '#load/k6/bundle'
import { segmentsOf } from '#load/k6/segments'
import { packageRoot } from '#spec/package-root'
import { Histogram } from '../../../load/core/histogram.ts'
import { eventsOf, measuredK6, type Measured } from './measured-k6.ts'
import { withTarget } from './target-process.ts'

// What the load library costs beside a bare k6 script, how true its times are, and whether processes add up:
// npm run bench:load [-- --pairs 5 --only cost|memory|latency|segments]. Pairs are interleaved; medians with their range.

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '5' }, only: { type: 'string' } } })
const pairs = Number(values.pairs)
const found = findK6()
if ('why' in found) throw new Error(found.why)
const k6 = found.path

// As `greenroom load` runs it: one file.
const folder = mkdtempSync(join(tmpdir(), 'greenroom-bench-load-'))
const LIBRARY = await writeBundle('control-throughput', folder)
const BARE = 'bench/bare.ts'
const patient = { patience_ms: 120_000, iteration_ms: 600_000, turn_interval_ms: 0 }

const parts = { cost, memory, latency, segments }
try {
  for (const [name, part] of Object.entries(parts)) if (values.only === undefined || values.only === name) await part()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function scaleOf(users: number, turns: number, characters: number) {
  return { ...patient, users, turns, characters, start_rate: users, stages: [{ seconds: 1, rate: users }] }
}

/** CPU an event is the slope from a small run to a large one, so that what starting costs stays out; it is told beside it. */
async function cost(): Promise<void> {
  const [users, turns, characters] = [10, 8, 1_500]
  const rows = await withTarget({}, async (port) => {
    const all = []
    for (let pair = 0; pair < pairs; pair += 1) {
      const scripts = pair % 2 === 0 ? [BARE, LIBRARY] : [LIBRARY, BARE]
      const costs = new Map<string, Cost>()
      for (const script of scripts) {
        const small = await measuredK6({ k6, script, port, scale: scaleOf(users, 1, 10) })
        const large = await measuredK6({ k6, script, port, scale: scaleOf(users, turns, characters) })
        costs.set(script, costOf(small, large))
      }
      all.push({ bare: costs.get(BARE) as Cost, library: costs.get(LIBRARY) as Cost, node: await nodeClient(port) })
    }
    return all
  })
  say(
    'CPU an event, bare',
    rows.map(({ bare }) => bare.us),
    'µs',
  )
  say(
    'CPU an event, library',
    rows.map(({ library }) => library.us),
    'µs',
  )
  say(
    'CPU an event, library / bare (goal ≤ 1.05)',
    rows.map(({ bare, library }) => library.us / bare.us),
  )
  say(
    'CPU to start, bare',
    rows.map(({ bare }) => bare.start_s),
    's',
  )
  say(
    'CPU to start, library',
    rows.map(({ library }) => library.start_s),
    's',
  )
  say(
    'events a second, library',
    rows.map(({ library }) => library.per_s),
  )
  say(
    'events a second, library / bare (goal ≥ 0.95)',
    rows.map(({ bare, library }) => library.per_s / bare.per_s),
  )
  say(
    'events a second of CPU, library / bare Node client',
    rows.map(({ library, node }) => node.us / library.us),
  )
}

interface Cost {
  readonly us: number
  readonly start_s: number
  readonly per_s: number
}

function costOf(small: Measured, large: Measured): Cost {
  const events = eventsOf(large.part) - eventsOf(small.part)
  return {
    us: ((large.cpu_s - small.cpu_s) / events) * 1e6,
    start_s: small.cpu_s,
    per_s: (eventsOf(large.part) / large.part.duration_ms) * 1_000,
  }
}

async function nodeClient(port: string): Promise<{ readonly us: number; readonly per_s: number }> {
  const script = join(packageRoot(), 'src/bench/load/node-client.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, port, '60', '1500'])
  return JSON.parse(stdout) as { us: number; per_s: number }
}

/** Slope over the number of users, all of them with an open connection at the same time. */
async function memory(): Promise<void> {
  const rows = await withTarget({ DELAY_MS: '1500', PIECE: '100' }, async (port) => {
    const all = []
    for (let pair = 0; pair < pairs; pair += 1) {
      const perUser = async (script: string): Promise<number> => {
        const few = await measuredK6({ k6, script, port, scale: scaleOf(20, 2, 100) })
        const many = await measuredK6({ k6, script, port, scale: scaleOf(220, 2, 100) })
        return (many.peak_kb - few.peak_kb) / 200
      }
      all.push({ bare: await perUser(BARE), library: await perUser(LIBRARY) })
    }
    return all
  })
  say(
    'memory a user, bare',
    rows.map(({ bare }) => bare),
    'kB',
  )
  say(
    'memory a user, library',
    rows.map(({ library }) => library),
    'kB',
  )
  say(
    'memory a user, library - bare (goal ≤ 120)',
    rows.map(({ bare, library }) => library - bare),
    'kB',
  )
}

/** Against a target that answers after a known time: what we measure more than that is ours, or the way's. */
async function latency(): Promise<void> {
  for (const delay of [1, 5, 20, 100]) {
    const { part } = await withTarget({ DELAY_MS: String(delay), PIECE: '100' }, (port) =>
      measuredK6({ k6, script: LIBRARY, port, scale: scaleOf(2, delay < 50 ? 100 : 40, 100) }),
    )
    const times = new Histogram()
    for (const time of ['update_ms', 'created_ms'])
      for (const [bucket, count] of Object.entries(part.tallies?.['control-throughput']?.[time] ?? {}))
        times.add(Number(bucket), count)
    const [p50 = 0, p99 = 0] = [times.quantile(0.5), times.quantile(0.99)]
    const bias = (ms: number): string => `${ms >= delay ? '+' : ''}${(ms - delay).toFixed(2)} ms`
    console.log(`latency, ${delay} ms known: p50 ${bias(p50)} (goal 0.2), p99 ${bias(p99)} (goal 1), of ${times.total}`)
  }
}

/** The same schedule, cut into so many processes. */
async function segments(): Promise<void> {
  const scale = { ...scaleOf(16, 3, 60), start_rate: 8, stages: [{ seconds: 4, rate: 8 }] }
  const counts = await withTarget({ PIECE: '10' }, async (port) => {
    const all = []
    for (const processes of [1, 2, 4, 8]) {
      const runs = segmentsOf(processes).map((segment) => measuredK6({ k6, script: LIBRARY, port, scale, segment }))
      all.push(countsIn((await Promise.all(runs)).map(({ part }) => part.tallies?.['control-throughput'] ?? {})))
    }
    return all
  })
  const [one = ''] = counts
  const equal = counts.every((count) => count === one)
  console.log(
    `counts of 1, 2, 4 and 8 processes: ${equal ? 'equal' : 'DIFFERENT'}\n  ${equal ? one : counts.join('\n  ')}`,
  )
}

/** Of several tallies, added up; times are left out, which no two runs share. */
function countsIn(tallies: readonly { readonly [name: string]: { readonly [key: string]: number } }[]): string {
  const sums = new Map<string, number>()
  for (const tally of tallies)
    for (const [name, keys] of Object.entries(tally))
      for (const [key, count] of Object.entries(keys))
        if (!name.endsWith('_ms')) sums.set(`${name} ${key}`, (sums.get(`${name} ${key}`) ?? 0) + count)
  return [...sums]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}

/** Median, and the range. */
function say(what: string, numbers: readonly number[], unit = ''): void {
  const sorted = numbers.toSorted((left, right) => left - right)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  const show = (number: number): string => (number >= 1_000 ? String(Math.round(number)) : number.toPrecision(3))
  const range = `${show(sorted[0] ?? 0)} to ${show(sorted.at(-1) ?? 0)}`
  console.log(`${what}: ${show(middle)}${unit === '' ? '' : ` ${unit}`} (${range}, ${sorted.length} pairs)`)
}
