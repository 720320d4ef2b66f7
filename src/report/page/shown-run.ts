import type { Results } from '#judge/results'
import type { TraceIndex } from '#judge/trace-index'
import type { ConclusionOptions } from '../conclusion.ts'
import type { Resend } from '../curl.ts'

/** What the page shows of one run. */
export interface ShownRun extends ConclusionOptions {
  readonly results: Results
  /** Undefined where the trace is not at hand: then nothing that was sent or came can be shown. */
  readonly trace: TracePlaces | undefined
  /** The sentence of a requirement, where the register has one. */
  readonly text: (id: string) => string | undefined
  /** Whether its page has no list of all requirements, so that no link can lead there. */
  readonly unlisted?: boolean
  /** Options that name the target, in lines to copy. */
  readonly named?: readonly string[]
}

/** One of the runs that are set side by side, the one of the page among them. */
export interface ComparedRun {
  readonly results: Results
  /** Undefined where its trace is not at hand. */
  readonly index: TraceIndex | undefined
}

export interface TracePlaces {
  readonly index: TraceIndex
  readonly resend: Resend
  /** The command that sends the failure of a requirement again and judges it. */
  readonly replay?: (requirement: string) => string | undefined
  /** File name as a reader would open it. */
  readonly name: string
}
