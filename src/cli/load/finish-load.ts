import { cpus, totalmem } from 'node:os'
import { countOf, secondsOf } from '../../../load/core/arrivals.ts'
import type { Findings } from '../../../load/core/findings.ts'
import { join } from '../../../load/core/findings.ts'
import { allMeasures } from '../../../load/core/common-measures.ts'
import type { LoadPart } from '../../../load/core/summary.ts'
import { lagBoundsOf } from '../../../load/core/judge-run.ts'
import { judgePart, judgesTimes } from '../../../load/scenarios/judge-part.ts'
import { register } from '#judge/register'
import { judge } from '#judge/judge'
import { readWaivers } from '#judge/waivers'
import type { Broke, LoadReport } from '#load/load-report'
import { checkObjectives, fitting, type Scope } from '#load/results/objectives'
import { operationsOf } from '#load/results/readings'
import { reportOf, sumOf } from '#load/results/report'
import { requirementsOf, unexpected } from '#load/results/requirements'
import { type SampledTrace, type Samples, traceOf } from '#load/results/samples'
import type { SharedIds } from '#load/results/shared-ids'
import type { Timeline } from '#load/results/timeline'
import type { Swept } from '#scenario/cleanup/sweep'
import { headerOf, version } from '#scenario/plan/run-plan'
import { loadRules } from '#scenario/plan/load-rules'
import { type Environment, knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import type { Profile } from '#spec/profile'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import type { Draft } from '#trace/writer'
import { type LoadPlan, loadWords } from './plan-load.ts'
import { profileDigest } from './profile-digest.ts'

/** Everything that a run leaves behind. */
export interface Finished {
  readonly report: LoadReport
  /** Text of `samples.ndjson`. */
  readonly samples: string
}

/** Name of the trace beside `load.json`. */
export const SAMPLES_FILE = 'samples.ndjson'

/** What was run, as far as its results are concerned. */
export interface RunFacts
  extends Pick<LoadPlan, 'run' | 'scenarios' | 'weights' | 'workloadName' | 'workload' | 'keys'> {
  readonly profile: Profile
  readonly environment: Environment
  readonly k6: string
}

/** What came of it. */
export interface RunResult {
  readonly part: LoadPart
  readonly timeline: Timeline
  readonly samples: Samples
  /** Whether ids were given twice. */
  readonly ids: SharedIds
  /** Milliseconds since 1970. */
  readonly started: number
  readonly swept: Pick<Swept, 'closed' | 'leaked' | 'undeletable'>
  readonly interrupted: boolean
  readonly unreachable: string | undefined
  /** When the target stopped answering, in seconds since 1970. */
  readonly died: number | undefined
  /** Where the target broke, which ended the run. */
  readonly broke: Broke | undefined
  /** What went wrong on our side, one sentence each. */
  readonly ours: readonly string[]
}

/** Judges what a run brought, and makes its report. */
export async function finishLoad(facts: RunFacts, result: RunResult): Promise<Finished> {
  const { profile, workload, weights } = facts
  const { broke, ...rest } = result
  const { part, swept, died } = rest
  const objectives = fitting(profile.objectives ?? {}, scopeOf(facts))
  const times_matter = Object.keys(objectives.latency ?? {}).length > 0
  const asked = { ...facts, times_matter, ended_early: broke !== undefined }
  const judged = part.parts === 0 ? nothing : judgedFindings(asked, part)
  const findings = { ...judged, broken: [...judged.broken, ...result.ids.findings()] }
  const trace = traceOfSamples(facts, result)
  const parsed = parseTrace(trace.text)
  const results = judge(parsed, register(), await loadRules())
  const header = parsed.entries.find(({ kind }) => kind === 'header')
  const waived = header?.kind === 'header' ? readWaivers(header, register()).valid : new Set<string>()
  const started_s = result.started / 1_000
  const timeline = result.timeline.rows(started_s)
  const report = reportOf({
    ...rest,
    findings: unexpected(findings, waived),
    started: new Date(result.started).toISOString(),
    versions: { greenroom: version(), k6: facts.k6, node: process.version },
    machine: { cpus: cpus().length, memory_bytes: totalmem(), platform: `${process.platform} ${process.arch}` },
    target: { base_url: profile.base_url, profile_digest: profileDigest(profile) },
    ...(weights === undefined ? {} : { mix: mixOf(weights) }),
    timeline,
    objectives: checkObjectives(objectives, {
      numbers: sumOf(part),
      timeline,
      scheduled_ms: Math.min(1_000 * secondsOf(workload), part.duration_ms),
      dropped: Object.values(part.dropped).reduce((sum, count) => sum + count, 0),
    }),
    requirements: requirementsOf(
      results,
      [...findings.broken, ...findings.trouble],
      register(),
      (line) => trace.conversationAt(line),
      waived,
    ),
    ...(broke === undefined ? {} : { broke }),
    samples: { conversations: trace.conversations, entries: trace.lines, file: SAMPLES_FILE },
    lag_bound_ms: lagBoundsOf(workload, judgesTimes(facts.scenarios, asked)).p99_ms,
    arrivals: workload,
    schedule_s: secondsOf(workload),
    wanted: facts.scenarios.every(({ arrival }) => arrival.kind === 'rate') ? countOf(workload) : undefined,
    died_at_s: died === undefined ? undefined : Math.max(0, died - started_s),
    leaked: swept.leaked.length,
  })
  return { report, samples: trace.text }
}

const nothing: Findings = { broken: [], trouble: [], invalid: [] }

function judgedFindings(
  asked: RunFacts & { readonly times_matter: boolean; readonly ended_early: boolean },
  part: LoadPart,
): Findings {
  const { scenarios } = judgePart(part, asked.scenarios, asked, loadWords())
  return join([...scenarios.values()].map(({ findings }) => findings))
}

const mixOf = (weights: NonNullable<LoadPlan['weights']>) =>
  Object.entries(weights).map(([scenario, weight]) => ({ scenario, weight }))

/** Operations that the scenarios measure. */
export function measurable({ scenarios }: Pick<LoadPlan, 'scenarios'>): readonly string[] {
  const words = loadWords()
  return operationsOf(scenarios.flatMap((scenario) => allMeasures(scenario.measures(words), words).times))
}

/** What the scenarios can be held to. */
export function scopeOf({ scenarios }: Pick<LoadPlan, 'scenarios'>): Scope {
  const operations = measurable({ scenarios })
  return {
    operations,
    hears_events: ['update', 'created'].some((operation) => operations.includes(operation)),
    by_schedule: scenarios.some(({ arrival }) => arrival.kind === 'rate'),
    provokes: scenarios.some(({ exceeds }) => exceeds.length > 0),
  }
}

function traceOfSamples({ run, profile, environment }: RunFacts, result: RunResult): SampledTrace {
  const { closed, leaked, undeletable } = result.swept
  const ending: Draft[] = [
    { kind: 'cleanup', closed, leaked, undeletable },
    { kind: 'end', outcome: result.interrupted || result.broke !== undefined ? 'interrupted' : 'completed' },
  ]
  const header = headerOf(run, { selected: [], skipped: [] }, environment)
  const redactor = createRedactor(knownSecrets(readSecrets(profile, environment)), run.salt)
  return traceOf(result.samples, { header, ending, epoch: run.epoch, redactor })
}
