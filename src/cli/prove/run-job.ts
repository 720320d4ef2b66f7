import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isLeftOpen } from '#judge/verdict'
import { ofAllRows } from '#trace/reader'
import { judge } from '#judge/judge'
import type { RequirementResult, Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { driveTarget } from '#scenario/run/drive'
import { createSimulatedTime, type SimulatedTime } from '#scenario/run/simulated-clock'
import type { Scenario } from '#scenario/author/scenario'
import type { Behaviour } from '#target/behaviour/behaviour'
import { deviations } from '#target/deviations'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { switchOff } from '#target/validations'
import type { Entry } from '#trace/entry'
import { register } from '#judge/register'
import { writeWhole } from '../write-whole.ts'
import type { Job, JobResult } from './job.ts'
import { isReported } from './matrix.ts'
import { visitsOf } from './reach.ts'
import { shownIn } from './shown-in.ts'

export interface Suites {
  readonly scenarios: readonly Scenario[]
  readonly rules: readonly Rule[]
}

/** Starts the target of a job, drives and judges it, and stops it again. Whatever goes wrong is in the result. */
export async function runJob(job: Job, suites: Suites): Promise<JobResult> {
  const began = performance.now()
  const ms = (): number => Math.round(performance.now() - began)
  try {
    // `check` and the tests go over TLS, which is as long as a sixth of all the rest.
    const changes = { defects: [...job.defects], variations: [...job.variations] }
    const simulatedTime = createSimulatedTime()
    const clock = () => Date.now() + simulatedTime.skippedMs()
    const override = (behaviour: Behaviour) => job.waived?.forEach((id) => switchOff(behaviour, id))
    const target = await startTarget({ tls: false, seed: job.seed, ...changes, clock, override })
    try {
      const { results, entries } = await judged(job, suites, { target, simulatedTime })
      const reference = job.kind === 'variation' && job.variations.length === 0
      const visits = reference ? { visits: visitsOf(entries) } : {}
      const shown = job.everywhere === true ? { shown_in: shownIn(job, entries, suites.rules) } : {}
      const result = { ...resultOf(job, results), ...visits, ...shown, ms: ms() }
      if (job.keep !== undefined && isReported(result)) keepTrace(job.keep, job.id, entries)
      return result
    } finally {
      await target.stop()
    }
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { ...resultOf(job, undefined), errors: [said.slice(0, 600)], ms: ms() }
  }
}

interface JobTarget {
  readonly target: RunningTarget
  /** What the target and its run skip together. */
  readonly simulatedTime: SimulatedTime
}

interface Judged {
  readonly results: Results
  readonly entries: readonly Entry[]
}

async function judged(job: Job, suites: Suites, { target, simulatedTime }: JobTarget): Promise<Judged> {
  const driven = await driveTarget({
    profile: profileOf(target),
    environment: environmentOf(target),
    tier: job.tier,
    only: job.only,
    ...(job.left_out === undefined ? {} : { left_out: job.left_out }),
    seed: job.seed,
    scenarios: suites.scenarios,
    simulatedTime,
  })
  const trace = ofAllRows(driven.trace)
  const results = await oneByOne(() => judge(trace, register(), suites.rules))
  return { results, entries: trace.entries }
}

/** What a reported target did, for `judge` and for whoever looks for the cause. */
function keepTrace(folder: string, id: string, entries: readonly Entry[]): void {
  mkdirSync(folder, { recursive: true })
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
  writeWhole(join(folder, `${id.replaceAll(/[^\w.~+-]+/g, '').slice(0, 120)}.ndjson`), lines.join(''))
}

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * To judge a whole run takes a good part of a second in which nothing else happens in this thread. Runs that began together
 * end together: were they judged in a row, the targets of all others would be silent for seconds.
 */
async function oneByOne<T>(work: () => T): Promise<T> {
  const turn = lastTurn.then(() => {
    const began = performance.now()
    return { done: work(), took: performance.now() - began }
  })
  lastTurn = turn.then(
    ({ took }) => setTimeout(took),
    () => {},
  )
  return (await turn).done
}

function resultOf(job: Job, results: Results | undefined): Omit<JobResult, 'ms'> {
  const { id, kind, variations, requirement, only, tier } = job
  const rows = [...(results?.requirements ?? []), ...(results?.unscored ?? [])]
  const own = rows.find((row) => row.id === requirement)
  const open = rows.filter((row) => isLeftOpen(row, []))
  const red = rows.filter(isRed(warnedOf(variations)))
  return {
    id,
    kind,
    variations,
    ...(requirement === undefined
      ? {}
      : {
          requirement,
          verdict: own?.verdict ?? 'missing',
          reason: own?.reason ?? '',
          reason_code: own?.reason_code ?? '',
          only,
          tier,
          ...shownBy(own?.failures?.[0]?.scenario),
        }),
    ...(job.waived === undefined ? {} : { waived: job.waived, only, tier }),
    red: red.map((row) => row.id),
    ...(job.kind === 'variation' ? firstFailure(red) : {}),
    conformant: results?.conformant ?? null,
    open:
      job.kind !== 'variation' ? [] : open.map((row) => `${row.id} (${row.reason_code}: ${row.reason.slice(0, 160)})`),
    errors: (results?.harness_errors ?? []).map((error) => error.message),
    rest_requests: results?.traffic.rest_requests ?? 0,
  }
}

/** Rows that a warning is right for: what the variations do is legal, and worth telling. */
function warnedOf(variations: readonly string[]): ReadonlySet<string> {
  const known = deviations().variations.filter(({ id }) => variations.includes(id))
  return new Set(known.flatMap(({ warns = [] }) => warns))
}

const isRed =
  (warned: ReadonlySet<string>) =>
  ({ id, verdict }: RequirementResult): boolean =>
    verdict === 'fail' || (verdict === 'warn' && !warned.has(id))

function firstFailure(red: readonly RequirementResult[]): Pick<JobResult, 'first_failure'> {
  const [failure] = red.flatMap(({ failures = [] }) => failures)
  if (failure === undefined) return {}
  const { scenario = 'no scenario', expected, got } = failure
  return { first_failure: `expected ${expected}, got ${got} (${scenario})` }
}

function shownBy(scenario: string | undefined): Pick<JobResult, 'shown_by'> {
  return scenario === undefined ? {} : { shown_by: scenario }
}
