import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { converseMeasures } from '../../load/core/converse-measures.ts'
import { type LoadSummary, merge } from '../../load/core/summary.ts'
import { Tally } from '../../load/core/tally.ts'
import { longest, type WorkloadName, workloads } from '../../load/workloads.ts'
import { errorCodes, idsOf, serverEvents } from '#spec/tables'
import { type RunningTarget, startTarget } from '#target/start'
import { type K6Ran, runK6 } from './k6/run.ts'
import { segmentsOf } from './k6/segments.ts'

export interface Throughput {
  readonly summary: LoadSummary
  /** How many secrets k6 printed or wrote: none, in a sound run. */
  readonly leaks: number
  /** What k6 printed, without secrets. */
  readonly output: string
}

export interface ThroughputOptions {
  readonly k6: string
  readonly workload: WorkloadName
  /** How many k6 processes share the load. */
  readonly processes: number
  /** Seeded mistakes of the target. */
  readonly defects: readonly string[]
  readonly signal: AbortSignal
}

/** Without a pause between deltas, for the workload that is all about their number. */
const floodVariations = ['delta-per-character', 'instant']

/**
 * Measures event throughput of the reference target, which runs in this process.
 * @throws Error when a k6 process leaves no summary
 */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  // Go reads the CA of its own choice from the environment on Linux only.
  const tls = options.workload === 'smoke' && process.platform === 'linux'
  const variations = options.workload === 'flood' ? floodVariations : []
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-load-'))
  const target = await startTarget({ tls, variations, defects: [...options.defects] })
  try {
    const runs = await Promise.all(runsOf(options, target, folder))
    const secrets = [...Object.values(target.keys), ...target.secretsGiven()]
    const written = runs.map(({ output, part }) => `${output}${JSON.stringify(part ?? '')}`)
    const leaks = secrets.filter((secret) => written.some((text) => text.includes(secret))).length
    const scrub = (text: string): string => secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
    const summary = merge(
      runs.map((run) => summaryOf(run, scrub)),
      new Tally(measures()),
    )
    return { summary, leaks, output: scrub(runs.map(({ output }) => output).join('')) }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function runsOf(options: ThroughputOptions, target: RunningTarget, folder: string): Promise<K6Ran>[] {
  const { k6, workload, processes, signal } = options
  const caFile = join(folder, 'ca.pem')
  if (target.ca_pem !== undefined) writeFileSync(caFile, target.ca_pem)
  const environment = {
    GREENROOM_TARGET: target.base_url,
    GREENROOM_API_KEY: target.keys.primary,
    GREENROOM_WORKLOAD: workload,
    GREENROOM_RUN: `load-${process.pid}-${Date.now()}`,
    ...(target.ca_pem === undefined ? {} : { SSL_CERT_FILE: caFile }),
  }
  const deadlineMs = longest(workloads[workload]) + 15_000
  return segmentsOf(processes).map((segment, index) => {
    const partFile = join(folder, `part-${index}.json`)
    return runK6({ k6, script: 'event-throughput.ts', environment, partFile, segment, deadlineMs, signal })
  })
}

function summaryOf({ part, code, output }: K6Ran, scrub: (text: string) => string): LoadSummary {
  if (part !== undefined) return part as LoadSummary
  throw new Error(`k6 ended with ${code ?? 'a signal'} and left no summary:\n${scrub(output)}`)
}

function measures() {
  const codes = new Set(idsOf(errorCodes).map((name) => String(errorCodes[name].code)))
  return converseMeasures({ serverEvents: idsOf(serverEvents), errorCodes: [...codes] })
}
