import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** What is true of a trace: by what the server was told to do and by the interface's text, never by a judge. */
export interface Label {
  /** Path of the trace in the folder of the corpus. */
  readonly file: string
  /**
   * `legal`: nothing in the trace is wrong, and the requirement shows in it. `illegal`: the requirement is broken.
   * `undecided`: nothing in the trace is wrong, and it does not tell whether the requirement holds.
   */
  readonly verdict: 'legal' | 'illegal' | 'undecided'
  readonly requirement: string
  /** Section of the interface's text. */
  readonly section: string
  /** What the section says of it. */
  readonly says: string
  /** The server that was recorded. */
  readonly server: string
  /** What it was told to do otherwise than usual, or what was done to the recording. */
  readonly told: string
  /** Why the trace is what the verdict says. */
  readonly why: string
}

export const corpusFolder = join(packageRoot(), 'fixtures/traces/corpus')

/** The labels of all traces of the corpus. */
export function labels(): readonly Label[] {
  const { traces } = JSON.parse(readFileSync(join(corpusFolder, 'labels.json'), 'utf8')) as {
    readonly traces: readonly Label[]
  }
  return traces
}

export function corpusTrace({ file }: Pick<Label, 'file'>): string {
  return readFileSync(join(corpusFolder, file), 'utf8')
}
