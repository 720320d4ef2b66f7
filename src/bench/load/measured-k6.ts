import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { inFolder } from '#testing/new-folder'
import { readK6Line } from '#load/k6/lines'
import type { Segment } from '#load/k6/segments'
import { addUp, type Numbers, type TallyJson } from '../../../load/core/tally.ts'
import type { Workload } from '../../../load/workloads.ts'

/** What one k6 process cost, and what its script wrote. */
export interface Measured {
  readonly cpu_s: number
  /** Largest resident set. */
  readonly peak_kb: number
  readonly part: BenchPart
}

/** Of the library or of the bare script. */
export interface BenchPart {
  readonly duration_ms: number
  readonly events?: number
  readonly tallies?: { readonly [scenario: string]: TallyJson }
}

export interface Bench {
  readonly k6: string
  readonly script: string
  readonly port: string
  readonly scale: Partial<Workload>
  readonly segment?: Segment | undefined
  /** As `greenroom load` has it: numbers are told in the lines alone, and stand in no part. */
  readonly numbersInLines?: boolean
}

/** How often the memory of a process is looked at, which tells its own peak. */
const LOOK_MS = 50

/** Runs one k6 to its end. @throws Error when it leaves no result */
export async function measuredK6(bench: Bench): Promise<Measured> {
  const { numbersInLines = false } = bench
  return inFolder(async (folder) => {
    const file = join(folder, 'part.json')
    // The shell tells what its child cost; Node does not.
    const lines = join(folder, 'lines')
    const child = spawn('sh', ['-c', '"$0" "$@" >"$LINES" 2>/dev/null; times', bench.k6, ...argumentsOf(bench)], {
      env: { ...environmentOf(bench, file), LINES: lines },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    let peak = 0
    const looking = setInterval(() => (peak = Math.max(peak, peakOfChild(child.pid))), LOOK_MS)
    await once(child, 'close')
    clearInterval(looking)
    return { cpu_s: childSeconds(printed), peak_kb: peak, part: partIn(file, numbersInLines ? lines : undefined) }
  })
}

/** What the script wrote. @param lines the file of what it told while it ran, where its numbers stand in that alone */
function partIn(file: string, lines: string | undefined): BenchPart {
  const part = JSON.parse(readFileSync(file, 'utf8')) as BenchPart
  if (lines === undefined || part.tallies === undefined) return part
  const tallies: { [scenario: string]: Numbers } = {}
  for (const line of readFileSync(lines, 'utf8').split('\n')) {
    const said = readK6Line(line)
    if (said?.kind === 'window') addUp((tallies[said.scenario] ??= {}), said.tally)
  }
  return { ...part, tallies }
}

export function argumentsOf({ script, segment }: Bench): string[] {
  const part =
    segment === undefined ? [] : ['--execution-segment', segment.own, '--execution-segment-sequence', segment.all]
  const flags = ['--quiet', '--no-usage-report', '--log-output=stdout', '--log-format=raw']
  return ['run', ...flags, ...part, resolve(join(packageRoot(), 'load'), script)]
}

export function environmentOf({ port, scale, numbersInLines = false }: Bench, file: string): NodeJS.ProcessEnv {
  const key = { name: 'primary', env: 'GREENROOM_API_KEY', requests_per_minute: 1_000_000 }
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    GREENROOM_TARGET: `http://127.0.0.1:${port}`,
    GREENROOM_API_KEY: 'bench',
    GREENROOM_KEYS: JSON.stringify([key]),
    GREENROOM_RUN: 'bench',
    GREENROOM_SUMMARY: file,
    GREENROOM_SCALE: JSON.stringify(scale),
    GREENROOM_NUMBERS_IN_LINES: String(numbersInLines),
  }
}

/** Second line of `times`: user and system time of the children, such as `0m1.230s 0m0.100s`. */
function childSeconds(printed: string): number {
  const last = printed.trim().split('\n').at(-1) ?? ''
  const times = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  return times.reduce((sum, time) => sum + time, 0)
}

/** Of the shell's only child, in kB; 0 where the system doesn't tell. */
function peakOfChild(shell: number | undefined): number {
  try {
    const child = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0] ?? ''
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Events of a run, of either script. */
export function eventsOf({ events, tallies }: BenchPart): number {
  return (
    events ?? Object.values(tallies?.['control-throughput']?.['events'] ?? {}).reduce((sum, count) => sum + count, 0)
  )
}
