import type { JudgedRecording } from '../judge-recording.ts'

/** What the thread that judges is told at its start. */
export interface JudgeTask {
  readonly trace: string
  /** Shown on the page. */
  readonly base_url: string
}

/** What it tells. */
export type JudgeMessage =
  | {
      readonly kind: 'page'
      /** The page of the current state, as bytes that are handed over and not copied. */
      readonly page: Uint8Array<ArrayBuffer>
      /** Lines read, lines held in memory, sessions of which only single events are judged. */
      readonly lines: number
      readonly held: number
      readonly setAside: number
    }
  | { readonly kind: 'end'; readonly judged: JudgedRecording }
  | { readonly kind: 'broken'; readonly message: string }

/** What it is asked: to read the trace to its end, which is written, and to judge it. */
export type JudgeOrder = 'end'
