import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { WindowedJudge } from '#judge/windows/windowed-judge'
import { loadRules } from '#scenario/plan/load-rules'
import { LineReader, type ReadLine } from '#trace/growing/line-reader'
import { type ClientMistakes, MistakeWatch } from './client/mistakes.ts'

/** What a recording came to: the verdict on the service, and apart from it what its clients did wrong. */
export interface JudgedRecording {
  readonly results: Results
  readonly mistakes: ClientMistakes
}

/**
 * Judges a recording of any length in bounded memory.
 *
 * @throws TraceFormatError, UnjudgeableTrace; the system's error when the file cannot be read
 */
export async function judgeRecording(file: string): Promise<JudgedRecording> {
  const judge = new RecordingJudge(file, await startJudge())
  try {
    judge.look()
    return judge.end()
  } finally {
    judge.close()
  }
}

export async function startJudge(): Promise<WindowedJudge> {
  return new WindowedJudge(register(), await loadRules())
}

/** Follows the trace of a recording, and judges it as far as it is there. */
export class RecordingJudge {
  readonly #reader: LineReader
  readonly #judge: WindowedJudge
  readonly #mistakes = new MistakeWatch()
  /** A look that was broken off goes on where it was. */
  #lines: Generator<ReadLine> | undefined

  constructor(file: string, judge: WindowedJudge) {
    this.#reader = new LineReader(file)
    this.#judge = judge
  }

  get judge(): WindowedJudge {
    return this.#judge
  }

  /** Reads what was added since the last look. @param most lines at once @returns whether there may be more */
  look(most = Number.POSITIVE_INFINITY): boolean {
    for (let count = 0; count < most; count += 1) {
      this.#lines ??= this.#reader.more()
      const { value, done } = this.#lines.next()
      if (done === true) {
        this.#lines = undefined
        return false
      }
      this.#take(value)
    }
    return true
  }

  /** As if the recording ended here. */
  sofar(): JudgedRecording {
    const results = this.#judge.results({ truncated: false, sha256: this.#reader.digest() })
    return { results, mistakes: this.#mistakes.all() }
  }

  end(): JudgedRecording {
    const { line, truncated } = this.#reader.last()
    if (line !== undefined) this.#take(line)
    const results = this.#judge.results({ truncated, sha256: this.#reader.digest() })
    return { results, mistakes: this.#mistakes.all() }
  }

  close(): void {
    this.#reader.close()
  }

  #take({ entry, bytes }: ReadLine): void {
    this.#judge.add(entry, bytes)
    this.#mistakes.take(entry)
  }
}
