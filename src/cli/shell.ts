import { styleText } from 'node:util'
import type { Paint } from '#report/paint'
import { type Interrupts, watchInterrupts } from './interrupts.ts'

/** What a command sees of the process that it runs in. */
export interface Shell {
  readonly env: { readonly [name: string]: string | undefined }
  /** Writes to standard output: what was asked for. */
  out(text: string): void
  /** Writes to standard error: progress, notes, complaints. */
  err(text: string): void
  /** For standard output; plain where it is no terminal or NO_COLOR is set. */
  readonly paint: Paint
  /** Columns of the terminal that shows standard error; undefined where it is none. */
  readonly columns: number | undefined
  /** From the first call on, signals no longer end the process: the first aborts, the second ends it at once. */
  interrupts(): Interrupts
}

/** The shell of this process. `exit` ends it at once. */
export function processShell(exit: (code: number) => void): Shell {
  const { stdout, stderr, env } = process
  // A reader that went away (`| head`, a closed terminal) is no reason to leave sessions open.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  let interrupts: Interrupts | undefined
  return {
    env,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    get columns() {
      return stderr.isTTY ? stderr.columns : undefined
    },
    interrupts: () => (interrupts ??= watchInterrupts(exit)),
  }
}

/** What a command ended with. */
export type Finish = (exit: number) => void
