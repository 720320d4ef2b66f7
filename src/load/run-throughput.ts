import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LoadPart } from '../../load/core/summary.ts'
import { type JudgedPart, printedPart } from '../../load/scenarios/judge-part.ts'
import { workloads } from '../../load/workloads.ts'
import { packageRoot } from '#spec/package-root'
import { validate } from '#spec/validators'
import { findOrBuildK6 } from './k6/binary.ts'
import { measureThroughput, type Throughput, type ThroughputOptions } from './throughput.ts'

// Measures the reference target: node src/load/run-throughput.ts [--workload smoke] [--processes 1] [--prove]
// With --prove also one that loses text, which must fail: a measurement that can't fail says nothing.
// Ends with 0 for pass, 1 for fail, 3 for what could not be judged, 4 for a mistake of ours, 130 when interrupted.

const LOSES_TEXT = 'control-channel.text-delta.concatenate-to-final-text'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'smoke' },
    processes: { type: 'string', default: '1' },
    prove: { type: 'boolean', default: false },
  },
})

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`load: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = stop.signal.aborted ? 130 : 4
}

async function main(): Promise<number> {
  const { workload, processes } = values
  if (!isWorkload(workload)) throw new Error(`--workload is none of ${Object.keys(workloads).join(', ')}`)
  if (!/^[1-9]$/.test(processes)) throw new Error('--processes is no number from 1 to 9')
  const k6 = findOrBuildK6((text) => console.error(text))
  if ('why' in k6) {
    console.error(`load: ${k6.why}.`)
    return k6.buildFailed ? 4 : 3
  }
  const options = { k6: k6.path, workload, processes: Number(processes), defects: [], signal: stop.signal }
  if (values.prove) await prove(options)
  const measured = await measuredTwiceIfNeeded(options)
  keep(measured.part)
  if (stop.signal.aborted) return 130
  return conclude(measured)
}

/** @throws Error when lost text is not found */
async function prove(options: ThroughputOptions): Promise<void> {
  const { part, judged } = await measureThroughput({ ...options, defects: [LOSES_TEXT] })
  const found = judged.verdict === 'fail' && reasons(judged).includes('text-lost')
  if (!found && !options.signal.aborted)
    throw new Error(`a target that loses text was not found out:\n${printedPart(part, judged)}`)
}

/** An invalid run says that this machine was busy, not that anything is wrong: once is chance. */
async function measuredTwiceIfNeeded(options: ThroughputOptions): Promise<Throughput> {
  const first = await measureThroughput(options)
  if (first.judged.verdict !== 'invalid' || options.signal.aborted) return first
  console.error(`load: invalid, so once more: ${reasons(first.judged)}`)
  return measureThroughput(options)
}

function conclude({ part, judged, leaks, output }: Throughput): number {
  if (leaks > 0) throw new Error(`k6 printed or wrote ${leaks} secrets`)
  if (judged.verdict !== 'pass') console.error(output)
  console.log(printedPart(part, judged))
  return { pass: 0, fail: 1, invalid: 3 }[judged.verdict]
}

function reasons({ findings }: JudgedPart): string {
  return findings.map(({ text }) => text).join('; ')
}

/** @throws Error when the part is not what `schemas/meta/load-part.json` says */
function keep(part: LoadPart): void {
  const [error] = validate('meta/load-part', part)
  if (error !== undefined) throw new Error(`the part is not of its shape: ${JSON.stringify(error)}`)
  const folder = join(packageRoot(), 'reports')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${part.scenario}-${part.workload}.json`)
  writeFileSync(file, `${JSON.stringify(part, undefined, 2)}\n`)
}

function isWorkload(name: string): name is keyof typeof workloads {
  return Object.hasOwn(workloads, name)
}
