import type { Results } from '#judge/results'
import { resultsText } from '#judge/results-text'
import type { Trace } from '#trace/reader'
import { TraceSoFar } from '#trace/growing/so-far'
import { judgeTrace } from '../judge.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, Stop } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { journalsOfTheDead, newJournal } from './journal-place.ts'
import { tellWhatWasJudged } from './judged-until-then.ts'
import { runCheck } from './run-check.ts'
import type { CheckRun } from './check-run.ts'

export interface RunToRecord
  extends Pick<CheckRun, 'subject' | 'plan' | 'out' | 'child' | 'verbose' | 'confirm' | 'enough' | 'signal'> {
  /** File of the run's journal; default: one in the state folder. */
  readonly journal: string | undefined
  readonly shell: Shell
}

/** A run that was recorded and judged, in whatever state it ended. */
export interface Recorded {
  readonly trace: Trace
  readonly results: Results
}

/**
 * Drives and records a run into its folder, and judges what was recorded.
 *
 * @returns undefined where the run was interrupted and nothing of it can be judged
 * @throws Stop
 */
export async function recordRun(run: RunToRecord): Promise<Recorded | undefined> {
  const { subject, plan, out, shell, signal } = run
  const journal = newJournal(subject.state, run.journal, plan.run.run)
  const dead = () => journalsOfTheDead(subject.state, run.journal, subject.profile.base_url)
  const written = new TraceSoFar(out.trace)
  const trouble = await runCheck({ ...run, journal, dead, written })
  if (trouble !== undefined && signal.aborted) return undefined
  if (trouble !== undefined) {
    await tellWhatWasJudged(out, shell)
    throw new Stop(4, trouble)
  }
  const trace = written.whole()
  const results = await judgeTrace(trace, out.trace)
  try {
    writeWhole(out.results, resultsText(results))
  } catch (error) {
    await tellWhatWasJudged(out, shell)
    throw new Stop(4, `${out.results} cannot be written: ${fileTrouble(error)}`)
  }
  return { trace, results }
}
