import { type Results } from '#judge/results'
import { judge } from '#judge/judge'
import { resultsText } from '#judge/results-text'
import type { Trace } from '#trace/reader'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { isRecording, judgeRecordingFile } from './recording/judge-recording-file.ts'
import { mistakeLines } from './recording/mistake-lines.ts'
import { writeNamed } from './named-files.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { Shell } from './shell.ts'
import { usage } from './stop.ts'
import { conclude } from '#report/conclusion'

export interface JudgeOptions {
  readonly out?: string
}

/** Judges a trace again. No network, no clock: the results depend on the trace and this version of Greenroom alone. */
export async function judgeFile(file: string, options: JudgeOptions, shell: Shell): Promise<number> {
  const recorded = isRecording(file) ? await judgeRecordingFile(file) : undefined
  const results = recorded?.results ?? (await judgeTrace(readTraceFile(file), file))
  const { exit, sentence } = conclude(results)
  if (options.out === undefined) shell.out(resultsText(results))
  else writeNamed(options.out, resultsText(results), `--out ${options.out}`)
  if (recorded !== undefined) shell.err(mistakeLines(recorded.mistakes))
  shell.err(`${sentence} (exit code ${exit})\n`)
  return exit
}

/** @throws Stop (2) for a trace that cannot be judged at all */
export async function judgeTrace(trace: Trace, file: string): Promise<Results> {
  const rules = await loadRules()
  try {
    return judge(trace, register(), rules)
  } catch (error) {
    if (error instanceof Error && error.name === 'UnjudgeableTrace')
      throw usage(`${file} cannot be judged: ${error.message}; give trace.ndjson of a run`)
    throw error
  }
}
