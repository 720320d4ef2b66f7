import { buckets, FORMAT } from '../../../load/core/summary.ts'
import { diedAt } from '#load/results/died'
import { type PartFacts, wholePart } from '#load/results/whole-part'
import { knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import { createRedactor } from '#trace/redact'
import { printable } from '#text/printable'
import { usage } from '../stop.ts'
import { type Finished, finishLoad } from './finish-load.ts'
import type { LoadPlan } from './plan-load.ts'
import { type LoadOutcome, type LoadRun, runLoad } from './run-load.ts'

/** One run from its journal to its report. @throws Stop before anything is sent */
export async function loadOnce(run: LoadRun): Promise<Finished> {
  const { plan, subject, signal, shell } = run
  const outcome = await runLoad(run)
  refuseOutputs(run, outcome)
  const { part, lost } = wholePart(outcome.processes, factsOf(plan), outcome.elapsed_ms)
  const interrupted = signal.aborted
  if (!interrupted) for (const complaint of complaintsOf(run, outcome)) shell.err(`${complaint}\n`)
  const { before, answers, timeline, troubles } = outcome
  // Who was interrupted while asking does not know whether the target is there.
  const unreachable = before.kind === 'ok' || interrupted ? undefined : before.reason
  return await finishLoad(
    { ...plan, profile: subject.profile, environment: subject.environment, k6: run.k6.version },
    {
      ...outcome,
      part,
      interrupted,
      unreachable,
      died: unreachable === undefined ? diedAt(timeline.windows(), answers) : undefined,
      ours: [...(interrupted ? [] : lost), ...troubles],
    },
  )
}

/** Which outputs there are only k6 knows. @throws Stop (2) */
function refuseOutputs({ plan }: LoadRun, { processes }: LoadOutcome): void {
  if (plan.outputs.length === 0) return
  for (const { output } of processes) {
    const [, type, known] = /invalid output type '([^'\n]*)', available types are: (.+)/.exec(output) ?? []
    if (type !== undefined)
      throw usage(`--k6-out ${JSON.stringify(type)} is no output of this k6; it has ${printable(known ?? '', 400)}`)
  }
}

function factsOf({ run, name, workloadName, workload, keys }: LoadPlan): PartFacts {
  return {
    format: FORMAT,
    run: run.run,
    seed: String(run.seed),
    scenario: name,
    workload: workloadName,
    scale: workload,
    keys,
    buckets,
  }
}

/** The end of what each k6 printed that left no result, without secrets. */
function complaintsOf({ plan, subject }: LoadRun, { processes }: LoadOutcome): readonly string[] {
  const redactor = createRedactor(knownSecrets(readSecrets(subject.profile, subject.environment)), plan.run.salt)
  return processes.flatMap(({ part, output }) =>
    part === undefined && output.trim() !== '' ? [printable(redactor.text(output.trim()), 4_000)] : [],
  )
}
