import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Key } from '../../load/core/keys.ts'
import { type LoadPart, merge } from '../../load/core/summary.ts'
import { controlThroughput } from '../../load/scenarios/control-throughput.ts'
import { type JudgedPart, judgePart } from '../../load/scenarios/judge-part.ts'
import { longest, type WorkloadName, workloads } from '../../load/workloads.ts'
import { errorCodes, idsOf, serverEvents } from '#spec/tables'
import { type RunningTarget, startTarget } from '#target/start'
import { type K6Ran, runK6 } from './k6/run.ts'
import { segmentsOf } from './k6/segments.ts'

export interface Throughput {
  readonly part: LoadPart
  readonly judged: JudgedPart
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

/**
 * Measures event throughput of the reference target, which runs in this process.
 * @throws Error when a k6 process leaves no summary
 */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  // Go reads the CA of its own choice from the environment on Linux only.
  const tls = process.platform === 'linux'
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-load-'))
  const target = await startTarget({ tls, defects: [...options.defects] })
  try {
    const runs = await Promise.all(runsOf(options, target, folder))
    const secrets = [...Object.values(target.keys), ...target.secretsGiven()]
    const written = runs.map(({ output, part }) => `${output}${JSON.stringify(part ?? '')}`)
    const leaks = secrets.filter((secret) => written.some((text) => text.includes(secret))).length
    const scrub = (text: string): string => secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
    const part = merge(runs.map((run) => partOf(run, scrub)))
    const judged = judgePart(part, [controlThroughput], askedOf(options, target), words())
    return { part, judged, leaks, output: scrub(runs.map(({ output }) => output).join('')) }
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
    GREENROOM_KEYS: JSON.stringify([{ ...keyOf(target), env: 'GREENROOM_API_KEY' }]),
    GREENROOM_API_KEY: target.keys.primary,
    GREENROOM_WORKLOAD: workload,
    GREENROOM_RUN: `load-${process.pid}-${Date.now()}`,
    ...(target.ca_pem === undefined ? {} : { SSL_CERT_FILE: caFile }),
  }
  const deadlineMs = longest(workloads[workload]) + 15_000
  return segmentsOf(processes).map((segment, index) => {
    const partFile = join(folder, `part-${index}.json`)
    return runK6({ k6, script: 'control-throughput.ts', environment, partFile, segment, deadlineMs, signal })
  })
}

function partOf({ part, code, output }: K6Ran, scrub: (text: string) => string): LoadPart {
  if (part !== undefined) return part as LoadPart
  throw new Error(`k6 ended with ${code ?? 'a signal'} and left no summary:\n${scrub(output)}`)
}

function keyOf(target: RunningTarget): Key {
  return { name: 'primary', ...target.limits.primary }
}

function askedOf({ workload }: ThroughputOptions, target: RunningTarget) {
  return { workloadName: workload, workload: workloads[workload], keys: [keyOf(target)] }
}

function words() {
  const codes = new Set(idsOf(errorCodes).map((name) => String(errorCodes[name].code)))
  return { serverEvents: idsOf(serverEvents), errorCodes: [...codes] }
}
