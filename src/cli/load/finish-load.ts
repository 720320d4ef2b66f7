import { createHash } from 'node:crypto'
import { cpus, totalmem } from 'node:os'
import { secondsOf } from '../../../load/core/arrivals.ts'
import type { Findings } from '../../../load/core/findings.ts'
import { join } from '../../../load/core/findings.ts'
import { allMeasures } from '../../../load/core/common-measures.ts'
import { buckets, FORMAT } from '../../../load/core/summary.ts'
import { judgePart } from '../../../load/scenarios/judge-part.ts'
import { register } from '#judge/register'
import { judge } from '#judge/judge'
import type { LoadReport } from '#load/load-report'
import { diedAt } from '#load/results/died'
import { checkObjectives } from '#load/results/objectives'
import { operationsOf } from '#load/results/readings'
import { reportOf, sumOf } from '#load/results/report'
import { requirementsOf } from '#load/results/requirements'
import { type SampledTrace, traceOf } from '#load/results/samples'
import { type PartFacts, wholePart } from '#load/results/whole-part'
import { headerOf, version } from '#scenario/plan/run-plan'
import { loadRules } from '#scenario/plan/rules'
import { knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import type { Profile } from '#spec/profile'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import type { Draft } from '#trace/writer'
import { type LoadPlan, loadWords } from './plan-load.ts'
import type { LoadOutcome, LoadRun } from './run-load.ts'

/** Everything that a run leaves behind. */
export interface Finished {
  readonly report: LoadReport
  /** Text of `samples.ndjson`. */
  readonly samples: string
  /** The end of what each k6 printed that left no result, without secrets. */
  readonly complaints: readonly string[]
}

/** Name of the trace beside `load.json`. */
export const SAMPLES_FILE = 'samples.ndjson'

/** Judges what a run brought, and makes its report. */
export async function finishLoad(run: LoadRun, outcome: LoadOutcome): Promise<Finished> {
  const { plan, subject, k6, signal } = run
  const { before, processes, swept, troubles } = outcome
  const { part, lost } = wholePart(processes, factsOf(plan), outcome.elapsed_ms)
  const numbers = sumOf(part)
  const unreachable = before.kind === 'ok' ? undefined : before.reason
  const died = unreachable === undefined ? diedAt(outcome.timeline.windows(), outcome.answers) : undefined
  const findings = part.parts === 0 ? nothing : judgedFindings(plan, part)
  const trace = traceOfSamples(run, outcome)
  const results = judge(parseTrace(trace.text), register(), await loadRules())
  const started_s = outcome.started / 1_000
  const report = reportOf({
    part,
    findings,
    started: new Date(outcome.started).toISOString(),
    versions: { greenroom: version(), k6: k6.version, node: process.version },
    machine: { cpus: cpus().length, memory_bytes: totalmem(), platform: `${process.platform} ${process.arch}` },
    target: { base_url: subject.profile.base_url, profile_digest: profileDigest(subject.profile) },
    ...(plan.weights === undefined ? {} : { mix: mixOf(plan.weights) }),
    timeline: outcome.timeline.rows(started_s),
    objectives: checkObjectives(subject.profile.objectives ?? {}, measurable(plan), {
      numbers,
      duration_ms: part.duration_ms,
      dropped: Object.values(part.dropped).reduce((sum, count) => sum + count, 0),
    }),
    requirements: requirementsOf(results, [...findings.broken, ...findings.trouble], register(), trace.conversationAt),
    samples: { conversations: trace.conversations, entries: trace.lines, file: SAMPLES_FILE },
    lag_bound_ms: plan.workload.lag_bound_ms,
    schedule_s: secondsOf(plan.workload),
    died_at_s: died === undefined ? undefined : Math.max(0, died - started_s),
    unreachable,
    interrupted: signal.aborted,
    ours: [...(signal.aborted ? [] : lost), ...troubles],
    leaked: swept.leaked.length,
  })
  const redactor = redactorOf(run)
  const broken = processes.filter(({ part: left }) => left === undefined && !signal.aborted)
  return { report, samples: trace.text, complaints: broken.map(({ output }) => redactor.text(output)) }
}

const nothing: Findings = { broken: [], trouble: [], invalid: [] }

function factsOf({ run, name, workloadName, workload, keys }: LoadPlan): PartFacts {
  return { format: FORMAT, run: run.run, scenario: name, workload: workloadName, scale: workload, keys, buckets }
}

function judgedFindings(plan: LoadPlan, part: Parameters<typeof judgePart>[0]): Findings {
  const { scenarios } = judgePart(part, plan.scenarios, plan, loadWords())
  return join([...scenarios.values()].map(({ findings }) => findings))
}

const mixOf = (weights: NonNullable<LoadPlan['weights']>) =>
  Object.entries(weights).map(([scenario, weight]) => ({ scenario, weight }))

/** Operations that the scenarios measure. */
export function measurable({ scenarios }: Pick<LoadPlan, 'scenarios'>): readonly string[] {
  const words = loadWords()
  return operationsOf(scenarios.flatMap((scenario) => allMeasures(scenario.measures(words), words).times))
}

function redactorOf({ plan, subject }: LoadRun) {
  return createRedactor(knownSecrets(readSecrets(subject.profile, subject.environment)), plan.run.salt)
}

function traceOfSamples(run: LoadRun, { samples, swept }: LoadOutcome): SampledTrace {
  const { plan, subject, signal } = run
  const { closed, leaked, undeletable } = swept
  const ending: Draft[] = [
    { kind: 'cleanup', closed, leaked, undeletable },
    { kind: 'end', outcome: signal.aborted ? 'interrupted' : 'completed' },
  ]
  const header = headerOf(plan.run, { selected: [], skipped: [] }, subject.environment)
  return traceOf(samples, { header, ending, epoch: plan.run.epoch, redactor: redactorOf(run) })
}

/** The embedded target listens at another port every time. */
function profileDigest({ base_url: _, ...profile }: Profile): string {
  return createHash('sha256').update(JSON.stringify(profile)).digest('hex')
}
