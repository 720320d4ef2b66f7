import { writeSync } from 'node:fs'
import { readTrace } from '#trace/reader'
import { openTrace, type TraceWriter } from '#trace/writer'
import { loadWithJoint } from '../plan/catalogue.ts'
import { noteHalts } from './halts.ts'
import { joinJournal } from '../journal/journal.ts'
import type { ScenarioOutcome } from '../runner/outcome.ts'
import { openRun } from './run-open.ts'
import { type ProgressLine, progressVariable, readPart, suitesVariable } from './run-part.ts'
import { keptForLook } from '../plan/plan.ts'
import type { RunPlan } from '../plan/run-plan.ts'
import { executorOf } from './run-scenarios.ts'
import { untilTimeIsOver } from './time-over.ts'
import type { Environment } from './run-secrets.ts'

/** A run that another process began and will end: this one drives its scenarios. */
export interface JoinedRun {
  readonly plan: RunPlan
  /** Path of the trace. */
  readonly trace: string
  run(id: string): Promise<ScenarioOutcome>
  close(): Promise<void>
}

/**
 * Gets ready, waits for the run and takes part in it.
 *
 * @param own environment of this process
 * @throws when the part, its files or the suites can't be read
 */
export async function joinRun(own: Environment): Promise<JoinedRun> {
  const [part, scenarios] = await Promise.all([readPart(), loadWithJoint(own[suitesVariable])])
  const { plan, trace, journal: file, environment, interrupted: signal } = part
  const enough = untilTimeIsOver(plan, part.enough)
  const journal = joinJournal(file)
  const open = openRun({
    plan,
    environment,
    signal,
    enough,
    write: (redactor) => writtenUntil(signal, openTrace(trace, plan.epoch, redactor)),
    awaits_answers: true,
    earlier: readTrace(trace).entries,
    reserve: () => journal.pending + keptForLook(plan.max_requests),
  })
  const endNoting = noteHalts(open.trace)
  const report = reporter(own[progressVariable], () => open.client.traffic().rest_requests)
  const executor = executorOf({
    open,
    journal,
    scenarios,
    signal,
    enough,
    onStart: ({ id }) => report(id, 'started'),
    onEnd: ({ scenario, outcome }) => report(scenario, outcome),
  })
  const close = async (): Promise<void> => {
    endNoting()
    await open.close()
    journal.close()
  }
  return { plan, trace, run: (id) => executor.run(id), close }
}

/**
 * Recording stops at the interrupt, for all at once: what comes later only tells the journal what there is to end. A trace
 * that went on for some and not for others would show silence where nobody listened.
 */
function writtenUntil(interrupted: AbortSignal, writer: TraceWriter): TraceWriter {
  const ended = (): ReturnType<TraceWriter['write']> => ({ line: writer.lines, t: writer.now() })
  return {
    write: (draft) => (interrupted.aborted ? ended() : writer.write(draft)),
    now: () => writer.now(),
    get lines() {
      return writer.lines
    },
    close: () => writer.close(),
  }
}

type Report = (scenario: string, state: ProgressLine['state']) => void

function reporter(descriptor: string | undefined, requests: () => number): Report {
  if (descriptor === undefined) return () => {}
  return (scenario, state) => {
    const line: ProgressLine = { scenario, state, requests: requests() }
    try {
      writeSync(Number(descriptor), `${JSON.stringify(line)}\n`)
    } catch {
      // Nobody listens any more, or not fast enough: progress is not evidence.
    }
  }
}
