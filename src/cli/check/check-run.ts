import type { JournalState } from '#scenario/journal/journal-state'
import type { RunChild } from '#scenario/run/run-child'
import type { TraceSoFar } from '#trace/growing/so-far'
import type { Shell } from '../shell.ts'
import type { OutFolder } from './out-folder.ts'
import type { CheckPlan } from './plan-check.ts'
import type { Subject } from './subject.ts'

export interface CheckRun {
  readonly subject: Subject
  readonly plan: CheckPlan
  readonly out: OutFolder
  /** Its trace, as far as it is written. */
  readonly written: TraceSoFar
  /** Runs the scenarios. */
  readonly child: RunChild
  /** File of the run's journal. */
  readonly journal: string
  /** Journals of dead runs against this target; asked for once the run's own has begun, which may move an older one. */
  readonly dead: () => readonly JournalState[]
  /** Whether exchanges and events are shown as they come. */
  readonly verbose: boolean
  /** Whether failures are sent again before the run ends. */
  readonly confirm?: boolean
  /** How many failures, beside those that are known, end the run. */
  readonly enough?: { readonly failures: number; readonly known: ReadonlySet<string> }
  readonly shell: Shell
  readonly signal: AbortSignal
}
